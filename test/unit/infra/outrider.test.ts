import { App, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { environmentVariables } from '#config/environment.ts';
import { podPendingEvent } from '#events/pod-pending.ts';
import { sweepEvent } from '#events/sweep.ts';
import { Outrider } from '../../../infra/constructs/outrider.ts';
import { OutriderStack } from '../../../infra/stacks/outrider-stack.ts';
import { podPendingFrom, sweepSample } from '../../helpers/event-samples.ts';
import { matches } from './event-pattern.ts';
import {
  actionsOf,
  appWithoutBundles,
  configurationFile,
  statementsOf,
  synthesise,
} from './synthesise.ts';

const template = synthesise().template();
const all = (type: string) => Object.entries(template.findResources(type));
const ofNetwork = (type: string, network: string) =>
  all(type).filter(([id]) => id.includes(`Network${network}`));

describe('what a function may do', () => {
  it('is these actions and no other', () => {
    const actions = new Set(statementsOf(template, 'open').flatMap(actionsOf));
    expect([...actions].toSorted()).toEqual([
      'autoscaling:DescribeAutoScalingGroups',
      'autoscaling:SetDesiredCapacity',
      'dynamodb:ConditionCheckItem',
      'dynamodb:DeleteItem',
      'dynamodb:GetItem',
      'dynamodb:PutItem',
      'dynamodb:Query',
      'dynamodb:UpdateItem',
      'ec2:DescribeInstanceTypes',
      'ec2:DescribeLaunchTemplateVersions',
      'logs:CreateLogStream',
      'logs:PutLogEvents',
      's3:GetObject',
      's3:PutObject',
      'secretsmanager:GetSecretValue',
      'sqs:ChangeMessageVisibility',
      'sqs:DeleteMessage',
      'sqs:GetQueueAttributes',
      'sqs:GetQueueUrl',
      'sqs:ReceiveMessage',
      'sqs:SendMessage',
    ]);
    expect(all('AWS::IAM::Role').some(([, role]) => role.Properties.ManagedPolicyArns)).toBe(false);
  });

  it('names every resource, but for reading what AWS has no resources for', () => {
    const everywhere = ['open', 'walled'].flatMap((network) =>
      statementsOf(template, network)
        .filter(({ Resource }) => Resource === '*')
        .flatMap(actionsOf),
    );
    expect(new Set(everywhere)).toEqual(
      new Set([
        'autoscaling:DescribeAutoScalingGroups',
        'ec2:DescribeInstanceTypes',
        'ec2:DescribeLaunchTemplateVersions',
        'ec2:CreateNetworkInterface',
        'ec2:DescribeNetworkInterfaces',
        'ec2:DescribeSubnets',
        'ec2:DeleteNetworkInterface',
        'ec2:AssignPrivateIpAddresses',
        'ec2:UnassignPrivateIpAddresses',
      ]),
    );
    expect(
      statementsOf(template, 'open')
        .flatMap(actionsOf)
        .filter((action) => action.includes('Interface')),
    ).toEqual([]);
  });

  it('raises only groups that carry the discovery tags of a cluster that acts', () => {
    const raises = statementsOf(template, 'open').filter((statement) =>
      actionsOf(statement).includes('autoscaling:SetDesiredCapacity'),
    );
    expect(raises.map(({ Condition }) => Condition)).toEqual([
      {
        Null: {
          'autoscaling:ResourceTag/k8s.io/cluster-autoscaler/enabled': 'false',
          'autoscaling:ResourceTag/k8s.io/cluster-autoscaler/actor': 'false',
        },
      },
    ]);
    expect(raises.flatMap(actionsOf)).toEqual(['autoscaling:SetDesiredCapacity']);
  });

  it('raises nothing where no cluster of the network acts', () => {
    const actions = statementsOf(template, 'walled').flatMap(actionsOf);
    expect(actions).toContain('autoscaling:DescribeAutoScalingGroups');
    expect(actions).not.toContain('autoscaling:SetDesiredCapacity');
  });

  it('raises where one group alone acts, and asks for the value of a tag that has one', () => {
    const file = configurationFile(`
clusters:
  - name: careful
    discoveryTags: { team: blue, managed: "" }
    groups: [{ match: trial, mode: act }]
`);
    const raise = statementsOf(synthesise({ configurationFile: file }).template(), 'default').find(
      (statement) => actionsOf(statement).includes('autoscaling:SetDesiredCapacity'),
    );
    expect(raise?.Condition).toEqual({
      StringEquals: { 'autoscaling:ResourceTag/team': 'blue' },
      Null: { 'autoscaling:ResourceTag/managed': 'false' },
    });
  });

  it('reads the secrets of its own network’s clusters and no other', () => {
    const secrets = JSON.stringify(
      statementsOf(template, 'open').find(({ Sid }) => Sid === 'ReachClusters')?.Resource,
    );
    expect(secrets).toContain(':secret:secrets/actor-??????');
    expect(secrets).toContain(':secret:outrider/watcher-??????');
    expect(secrets).not.toContain('quiet');
    expect(secrets).not.toContain('*');
  });

  it('reads one configuration object and keeps decisions under their prefix', () => {
    const objects = statementsOf(template, 'open').filter((statement) =>
      actionsOf(statement).some((action) => action.startsWith('s3:')),
    );
    expect(objects.map(({ Sid, Action }) => [Sid, Action])).toEqual([
      ['KeepDecisions', ['s3:GetObject', 's3:PutObject']],
      ['ReadConfiguration', 's3:GetObject'],
    ]);
    expect(JSON.stringify(objects[0]?.Resource)).toContain('/decisions/*');
    expect(JSON.stringify(objects[1]?.Resource)).toMatch(/\/[0-9a-f]{64}\.json/);
  });
});

describe('the queues', () => {
  it('are encrypted, standard and closed to plain connections', () => {
    const queues = all('AWS::SQS::Queue');
    expect(queues).toHaveLength(6);
    for (const [, { Properties }] of queues) {
      expect(Properties.SqsManagedSseEnabled).toBe(true);
      expect(Properties.FifoQueue).toBeUndefined();
    }
    const refused = all('AWS::SQS::QueuePolicy').filter(([, { Properties }]) =>
      Properties.PolicyDocument.Statement.some(
        (statement: { Effect: string; Condition?: { Bool?: Record<string, string> } }) =>
          statement.Effect === 'Deny' &&
          statement.Condition?.Bool?.['aws:SecureTransport'] === 'false',
      ),
    );
    expect(refused).toHaveLength(6);
  });

  it('hide a message for six times the function’s time limit and give it up into dead letters kept for 14 days', () => {
    const [, scaleUp] = ofNetwork('AWS::Lambda::Function', 'open')[0] ?? [];
    const queues = ofNetwork('AWS::SQS::Queue', 'open');
    const [, queue] = queues.find(([, { Properties }]) => Properties.RedrivePolicy) ?? [];
    expect(queue?.Properties.VisibilityTimeout).toBe(6 * scaleUp?.Properties.Timeout);
    const target = queue?.Properties.RedrivePolicy.deadLetterTargetArn['Fn::GetAtt'][0];
    const deadLetters = queues.find(([id]) => id === target)?.[1];
    expect(deadLetters?.Properties.MessageRetentionPeriod).toBe(14 * 24 * 3600);
    // A lease left behind lives a minute; the hints that meet it come back 1+2+4+8+15+15+… seconds apart.
    expect(queue?.Properties.RedrivePolicy.maxReceiveCount).toBeGreaterThanOrEqual(8);
  });

  it('hand their messages over at once and take single ones back', () => {
    for (const [, { Properties }] of all('AWS::Lambda::EventSourceMapping')) {
      expect(Properties).toMatchObject({
        BatchSize: 10,
        MaximumBatchingWindowInSeconds: 0,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
      });
    }
  });
});

describe('the rules', () => {
  const rules = (network: string) =>
    ofNetwork('AWS::Events::Rule', network).map(([, rule]) => rule);
  const hints = (network: string) =>
    rules(network).find(({ Properties }) => Properties.EventPattern)?.Properties;

  it('lead a hint to the queue of its own network', () => {
    const event = podPendingFrom('actor', 'open');
    expect(podPendingEvent.safeParse(event).success).toBe(true);
    expect(matches(hints('open').EventPattern, event)).toBe(true);
    expect(matches(hints('walled').EventPattern, event)).toBe(false);
    expect(matches(hints('open').EventPattern, { ...event, source: 'aws.ec2' })).toBe(false);
    expect(matches(hints('open').EventPattern, { ...event, 'detail-type': 'Pod Happy' })).toBe(
      false,
    );
    expect(hints('open').EventBusName).toBeDefined();
  });

  it('send each network its sweep, from the default bus, every minute unless told otherwise', () => {
    for (const network of ['open', 'walled']) {
      const sample = { ...sweepSample, detail: { network } };
      const sweep = rules(network).find(
        ({ Properties }) => Properties.ScheduleExpression,
      )?.Properties;
      expect(sweep.ScheduleExpression).toBe('rate(1 minute)');
      expect(sweep.EventBusName).toBeUndefined();
      expect(sweepEvent.parse(JSON.parse(sweep.Targets[0].Input))).toEqual(sample);
    }
    synthesise({ sweepInterval: Duration.minutes(5) })
      .template()
      .hasResourceProperties('AWS::Events::Rule', { ScheduleExpression: 'rate(5 minutes)' });
  });

  it('keep what they cannot deliver', () => {
    for (const [, { Properties }] of all('AWS::Events::Rule')) {
      expect(Properties.Targets).toHaveLength(1);
      expect(Properties.Targets[0].DeadLetterConfig.Arn['Fn::GetAtt'][0]).toContain('Undelivered');
    }
  });
});

describe('the memory', () => {
  it('keeps the table encrypted, recoverable, expiring and safe from deletion', () => {
    template.hasResource('AWS::DynamoDB::Table', {
      DeletionPolicy: 'Retain',
      Properties: Match.objectLike({
        BillingMode: 'PAY_PER_REQUEST',
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        SSESpecification: { SSEEnabled: true },
        TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
      }),
    });
  });

  it('keeps decisions private, encrypted, versioned and for 90 days', () => {
    template.hasResource('AWS::S3::Bucket', {
      DeletionPolicy: 'Retain',
      Properties: Match.objectLike({
        BucketEncryption: Match.anyValue(),
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
        VersioningConfiguration: { Status: 'Enabled' },
        LifecycleConfiguration: {
          Rules: [Match.objectLike({ ExpirationInDays: 90, Status: 'Enabled' })],
        },
      }),
    });
  });

  it('goes with the stack only where that is asked for', () => {
    const gone = synthesise({ removalPolicy: RemovalPolicy.DESTROY }).template();
    gone.hasResource('AWS::DynamoDB::Table', {
      DeletionPolicy: 'Delete',
      Properties: Match.objectLike({ DeletionProtectionEnabled: false }),
    });
    gone.hasResource('AWS::S3::Bucket', { DeletionPolicy: 'Delete' });
  });
});

describe('the functions', () => {
  it('are told names only, every one that they read', () => {
    for (const [, { Properties }] of all('AWS::Lambda::Function')) {
      const given = Properties.Environment.Variables;
      expect(Object.keys(given).toSorted()).toEqual(Object.values(environmentVariables).toSorted());
      expect(given.OUTRIDER_ENGINE_VERSION).toMatch(/^\d+\.\d+\.\d+/);
    }
    const networks = all('AWS::Lambda::Function').map(
      ([, { Properties }]) => Properties.Environment.Variables.OUTRIDER_NETWORK,
    );
    expect(networks).toEqual(['open', 'walled']);
  });

  it('run on arm64 under Node 24, log into groups that forget, and stand in the VPC of their network', () => {
    const [open, walled] = all('AWS::Lambda::Function').map(([, { Properties }]) => Properties);
    expect(open).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'], Timeout: 30 });
    expect(open.VpcConfig).toBeUndefined();
    expect(walled.VpcConfig).toEqual({
      SubnetIds: ['subnet-0a1b2c3d', 'subnet-0a1b2c3e'],
      SecurityGroupIds: ['sg-0a1b2c3d'],
    });
    for (const [, { Properties }] of all('AWS::Logs::LogGroup')) {
      expect(Properties.RetentionInDays).toBe(30);
    }
  });
});

describe('the alarms', () => {
  it('watch queues, function and clusters of each network', () => {
    expect(
      ofNetwork('AWS::CloudWatch::Alarm', 'open')
        .map(([, { Properties }]) => `${Properties.MetricName} > ${Properties.Threshold}`)
        .toSorted(),
    ).toEqual([
      'ApproximateAgeOfOldestMessage > 600',
      'ApproximateNumberOfMessagesVisible > 0',
      'ApproximateNumberOfMessagesVisible > 0',
      'Errors > 0',
      'LooksFailed > 3',
      'LooksFailed > 3',
    ]);
  });

  it('tell the topic that was given', () => {
    const stack = new Stack(appWithoutBundles(), 'Test');
    const alarmTopic = new Topic(stack, 'Topic');
    new Outrider(stack, 'Outrider', { configurationFile: configurationFile(), alarmTopic });
    const alarms = Object.values(Template.fromStack(stack).findResources('AWS::CloudWatch::Alarm'));
    expect(alarms).toHaveLength(11);
    for (const { Properties } of alarms) expect(Properties.AlarmActions).toHaveLength(1);
  });
});

describe('grantPutEvents', () => {
  it('lets a relay send hints of its own cluster and nothing else', () => {
    const { outrider, stack, template: later } = synthesise();
    const relay = new Role(stack, 'Relay', {
      assumedBy: new ServicePrincipal('ec2.amazonaws.com'),
    });
    outrider.grantPutEvents('actor', relay);
    const [policy] = Object.entries(later().findResources('AWS::IAM::Policy')).filter(([id]) =>
      id.startsWith('Relay'),
    );
    expect(policy?.[1].Properties.PolicyDocument.Statement).toEqual([
      {
        Effect: 'Allow',
        Action: 'events:PutEvents',
        Resource: expect.objectContaining({ 'Fn::GetAtt': expect.anything() }),
        Condition: {
          'ForAllValues:StringEquals': {
            'events:source': ['outrider.cluster.actor'],
            'events:detail-type': ['Pod Pending'],
          },
          Null: { 'events:source': 'false', 'events:detail-type': 'false' },
        },
      },
    ]);
  });

  it('refuses a cluster that is not configured and names the ones that are', () => {
    const { outrider, stack } = synthesise();
    const relay = new Role(stack, 'Relay', {
      assumedBy: new ServicePrincipal('ec2.amazonaws.com'),
    });
    expect(() => outrider.grantPutEvents('stray', relay)).toThrow(/stray.*actor, watcher, quiet/);
  });
});

describe('bad input', () => {
  it.each([
    [
      'a file that is not there',
      { configurationFile: '/nowhere/outrider.yaml' },
      /\/nowhere\/outrider\.yaml/,
    ],
    [
      'a sweep of seconds',
      { sweepInterval: Duration.seconds(30) },
      /30 seconds.*Duration\.minutes\(1\)/,
    ],
    ['too little memory', { memoryMiB: 128 }, /128.*512 to 10240/],
  ])('%s is refused with the remedy', (_, props, message) => {
    expect(() => synthesise(props)).toThrow(message);
  });

  it('a configuration with a mistake is refused at synthesis', () => {
    const file = configurationFile('clusters:\n  - name: a\n    network: nowhere\n');
    expect(() => synthesise({ configurationFile: file })).toThrow(/nowhere/);
  });
});

describe('the checks of cdk-nag', () => {
  const synthesised = (spoil: (stack: Stack) => void): unknown => {
    const before = process.env.CDK_VALIDATION;
    // The only test with validation on: it costs seconds in each synthesis.
    process.env.CDK_VALIDATION = 'true';
    try {
      const app = new App({ context: { 'aws:cdk:bundling-stacks': [] } });
      Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
      spoil(new OutriderStack(app, 'Outrider', { configurationFile: configurationFile() }));
      return app.synth();
    } finally {
      process.env.CDK_VALIDATION = before;
    }
  };

  it('find nothing in the stack, and do find what is wrong', () => {
    expect(() => synthesised(() => undefined)).not.toThrow();
    expect(() => synthesised((stack) => new Bucket(stack, 'Open'))).toThrow(/[Vv]alidation/);
  });
});
