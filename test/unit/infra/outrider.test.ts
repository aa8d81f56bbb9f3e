import { App, Duration, RemovalPolicy, type Stack, Validations } from 'aws-cdk-lib';
import { Match } from 'aws-cdk-lib/assertions';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { environmentVariables, forwardEnvironmentVariables } from '#config/environment.ts';
import { clusterDetailTypes } from '#events/cluster-events.ts';
import {
  forwardedSource,
  type LaunchFailedEvent,
  launchFailedDetailType,
} from '#events/launch-failed.ts';
import { podPendingEvent } from '#events/pod-pending.ts';
import { sweepEvent } from '#events/sweep.ts';
import { OutriderStack } from '../../../infra/stacks/outrider-stack.ts';
import { podPendingFrom, sweepSample } from '../../helpers/event-samples.ts';
import { matches } from './event-pattern.ts';
import { configurationFile, synthesise } from './synthesise.ts';

const template = synthesise().template();
const all = (type: string) => Object.entries(template.findResources(type));
const ofPlace = (type: string, place: string) => all(type).filter(([id]) => id.includes(place));
const ofNetwork = (type: string, network: string) => ofPlace(type, `Network${network}`);

describe('the queues', () => {
  it('are encrypted, standard and closed to plain connections', () => {
    const queues = all('AWS::SQS::Queue');
    expect(queues).toHaveLength(9);
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
    expect(refused).toHaveLength(9);
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
    for (const [id, { Properties }] of all('AWS::Lambda::EventSourceMapping')) {
      expect(Properties).toMatchObject({
        // No more than one invocation of scale-up looks at side by side.
        BatchSize: id.includes('Network') ? 5 : 10,
        MaximumBatchingWindowInSeconds: 0,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
      });
    }
  });
});

describe('the rules', () => {
  const rules = (place: string) => ofPlace('AWS::Events::Rule', place).map(([, rule]) => rule);
  const hearing = (network: string, event: unknown): readonly string[] =>
    ofNetwork('AWS::Events::Rule', network)
      .filter(([, { Properties }]) => matches(Properties.EventPattern ?? { source: [] }, event))
      .map(([id]) => /Hints|LaunchFailed/.exec(id)?.[0] ?? id);

  it('lead what relays and exporters tell to the queue of its own network', () => {
    const event = podPendingFrom('actor', 'open');
    expect(podPendingEvent.safeParse(event).success).toBe(true);
    for (const detailType of clusterDetailTypes) {
      const told = { ...event, 'detail-type': detailType };
      expect(hearing('open', told)).toEqual(['Hints']);
      expect(hearing('walled', told)).toEqual([]);
      expect(hearing('open', { ...told, source: 'aws.ec2' })).toEqual([]);
    }
    expect(hearing('open', { ...event, 'detail-type': 'Pod Happy' })).toEqual([]);
    expect(hearing('open', { ...event, 'detail-type': launchFailedDetailType })).toEqual([]);
  });

  it('lead forwarded launches to the queue of its network, from the forwarder alone', () => {
    const event: LaunchFailedEvent = {
      source: forwardedSource,
      'detail-type': launchFailedDetailType,
      detail: { cluster: 'actor', network: 'open', group: 'workers' },
    };
    expect(hearing('open', event)).toEqual(['LaunchFailed']);
    expect(hearing('walled', event)).toEqual([]);
    expect(hearing('open', { ...event, source: 'outrider.cluster.actor' })).toEqual([]);
  });

  it('listen on the custom bus for all of that', () => {
    for (const { Properties } of rules('Network')) {
      expect(Properties.EventBusName !== undefined).toBe(Properties.EventPattern !== undefined);
    }
  });

  it('lead launches that failed, and nothing else of AWS, from the default bus to the forwarder', () => {
    const [rule, ...others] = rules('ForwardEvents');
    expect(others).toEqual([]);
    expect(rule?.Properties.EventBusName).toBeUndefined();
    expect(rule?.Properties.EventPattern).toEqual({
      source: ['aws.autoscaling'],
      'detail-type': ['EC2 Instance Launch Unsuccessful'],
    });
    expect(JSON.stringify(rule?.Properties.Targets)).toContain('ForwardEventsQueue');
  });

  it('send each network its sweep, from the default bus, every minute unless told otherwise', () => {
    for (const network of ['open', 'walled']) {
      const sample = { ...sweepSample, detail: { network } };
      const sweep = rules(`Network${network}`).find(
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
        ResourcePolicy: {
          PolicyDocument: {
            Statement: [
              Match.objectLike({
                Effect: 'Deny',
                Principal: { AWS: '*' },
                Action: 'dynamodb:*',
                Condition: { Bool: { 'aws:SecureTransport': 'false' } },
              }),
            ],
            Version: '2012-10-17',
          },
        },
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

  it('lets nobody read or write decisions without TLS', () => {
    template.hasResourceProperties('AWS::S3::BucketPolicy', {
      PolicyDocument: Match.objectLike({
        Statement: Match.arrayWith([
          Match.objectLike({
            Effect: 'Deny',
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          }),
        ]),
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
  const functionOf = (place: string) =>
    all('AWS::Lambda::Function').find(([id]) => id.includes(place))?.[1].Properties;

  it('are told names only, every one that they read', () => {
    for (const network of ['open', 'walled']) {
      const given = functionOf(`Network${network}`).Environment.Variables;
      expect(Object.keys(given).toSorted()).toEqual(Object.values(environmentVariables).toSorted());
      expect(given.OUTRIDER_ENGINE_VERSION).toMatch(/^\d+\.\d+\.\d+/);
      expect(given.OUTRIDER_NETWORK).toBe(network);
      expect(given.OUTRIDER_PAGES_TOPIC_ARN.Ref).toContain('PagesTopic');
    }
    const given = functionOf('ForwardEvents').Environment.Variables;
    expect(Object.keys(given).toSorted()).toEqual(
      Object.values(forwardEnvironmentVariables).toSorted(),
    );
  });

  it('run on arm64 under Node 24, log into groups that forget, and stand in the VPC of their network', () => {
    const common = { Runtime: 'nodejs24.x', Architectures: ['arm64'], Timeout: 30 };
    for (const [, { Properties }] of all('AWS::Lambda::Function')) {
      expect(Properties).toMatchObject(common);
    }
    expect(functionOf('Networkopen').VpcConfig).toBeUndefined();
    expect(functionOf('ForwardEvents').VpcConfig).toBeUndefined();
    expect(functionOf('Networkwalled').VpcConfig).toEqual({
      SubnetIds: ['subnet-0a1b2c3d', 'subnet-0a1b2c3e'],
      SecurityGroupIds: ['sg-0a1b2c3d'],
    });
    for (const [, { Properties }] of all('AWS::Logs::LogGroup')) {
      expect(Properties.RetentionInDays).toBe(30);
    }
  });

  it('may wake themselves as often as their work needs, where they do, and work in few copies at once', () => {
    expect(functionOf('Networkopen').RecursiveLoop).toBe('Allow');
    expect(functionOf('ForwardEvents').RecursiveLoop).toBeUndefined();
    const scalings = all('AWS::Lambda::EventSourceMapping').map(
      ([id, { Properties }]) =>
        `${/Network|Forward/.exec(id)?.[0]} ${Properties.ScalingConfig?.MaximumConcurrency}`,
    );
    expect(scalings.toSorted()).toEqual(['Forward undefined', 'Network 20', 'Network 20']);
    synthesise({ maxConcurrency: 3 })
      .template()
      .hasResourceProperties('AWS::Lambda::EventSourceMapping', {
        ScalingConfig: { MaximumConcurrency: 3 },
      });
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
    ['one copy at a time', { maxConcurrency: 1 }, /maxConcurrency: is 1.*2 to 1000/],
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
