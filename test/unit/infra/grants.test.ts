import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { describe, expect, it } from 'vitest';
import {
  actionsOf,
  configurationFile,
  type Statement,
  statementsOf,
  statementsOfRole,
  synthesise,
} from './synthesise.ts';

const { template: render } = synthesise();
const template = render();

describe('what scale-up may do', () => {
  it('is these actions and no other', () => {
    const actions = new Set(statementsOf(template, 'open').flatMap(actionsOf));
    expect([...actions].toSorted()).toEqual([
      'autoscaling:DescribeAutoScalingGroups',
      'autoscaling:DescribeAutoScalingInstances',
      'autoscaling:DescribeScalingActivities',
      'autoscaling:SetDesiredCapacity',
      'dynamodb:ConditionCheckItem',
      'dynamodb:DeleteItem',
      'dynamodb:GetItem',
      'dynamodb:PutItem',
      'dynamodb:Query',
      'dynamodb:UpdateItem',
      'ec2:DescribeImages',
      'ec2:DescribeInstanceTypes',
      'ec2:DescribeLaunchTemplateVersions',
      'ec2:DescribeSpotPriceHistory',
      'ec2:GetInstanceTypesFromInstanceRequirements',
      'kms:Decrypt',
      'kms:GenerateDataKey',
      'logs:CreateLogStream',
      'logs:PutLogEvents',
      'pricing:GetProducts',
      's3:GetObject',
      's3:PutObject',
      'secretsmanager:GetSecretValue',
      'sns:Publish',
      'sqs:ChangeMessageVisibility',
      'sqs:DeleteMessage',
      'sqs:GetQueueAttributes',
      'sqs:ReceiveMessage',
      'sqs:SendMessage',
    ]);
    const roles = Object.values(template.findResources('AWS::IAM::Role'));
    expect(roles.some(({ Properties }) => Properties.ManagedPolicyArns)).toBe(false);
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
        'autoscaling:DescribeAutoScalingInstances',
        'autoscaling:DescribeScalingActivities',
        'ec2:DescribeImages',
        'ec2:DescribeInstanceTypes',
        'ec2:DescribeLaunchTemplateVersions',
        'ec2:DescribeSpotPriceHistory',
        'ec2:GetInstanceTypesFromInstanceRequirements',
        'pricing:GetProducts',
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
    const raises = raisesOf(statementsOf(template, 'open'));
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
    const raises = raisesWith(`
  - name: careful
    discoveryTags: { team: blue, managed: "" }
    groups: [{ match: trial, mode: act }]
`);
    expect(raises.map(({ Condition }) => Condition)).toEqual([
      {
        StringEquals: { 'autoscaling:ResourceTag/team': 'blue' },
        Null: { 'autoscaling:ResourceTag/managed': 'false' },
      },
    ]);
  });

  it('lists the values of one tag that tells clusters apart, and never mixes those of two', () => {
    const raises = raisesWith(`
  - { name: a, mode: act, discoveryTags: { owner: x, cluster: a } }
  - { name: b, mode: act, discoveryTags: { owner: x, cluster: b } }
  - { name: c, mode: act, discoveryTags: { team: x, stage: a } }
  - { name: d, mode: act, discoveryTags: { team: y, stage: b } }
`);
    expect(raises.map(({ Condition }) => Condition?.StringEquals)).toEqual([
      { 'autoscaling:ResourceTag/owner': 'x', 'autoscaling:ResourceTag/cluster': ['a', 'b'] },
      { 'autoscaling:ResourceTag/team': 'x', 'autoscaling:ResourceTag/stage': 'a' },
      { 'autoscaling:ResourceTag/team': 'y', 'autoscaling:ResourceTag/stage': 'b' },
    ]);
  });

  it('keeps a tag that accepts any value apart from the same tag with a value', () => {
    const raises = raisesWith(`
  - { name: a, mode: act, discoveryTags: { cluster: "" } }
  - { name: b, mode: act, discoveryTags: { cluster: b } }
`);
    expect(raises.map(({ Condition }) => Condition)).toEqual([
      { Null: { 'autoscaling:ResourceTag/cluster': 'false' } },
      { StringEquals: { 'autoscaling:ResourceTag/cluster': 'b' } },
    ]);
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

  it('reads one configuration object and writes decisions under their prefix', () => {
    const objects = statementsOf(template, 'open').filter((statement) =>
      actionsOf(statement).some((action) => action.startsWith('s3:')),
    );
    expect(objects.map(({ Sid, Action }) => [Sid, Action])).toEqual([
      ['KeepDecisions', 's3:PutObject'],
      ['ReadConfiguration', 's3:GetObject'],
    ]);
    expect(JSON.stringify(objects[0]?.Resource)).toContain('/decisions/*');
    expect(JSON.stringify(objects[1]?.Resource)).toMatch(/\/[0-9a-f]{64}\.json/);
  });

  it('sends messages to its own queue and its dead letters only', () => {
    const sends = statementsOf(template, 'open').filter((statement) =>
      actionsOf(statement).includes('sqs:SendMessage'),
    );
    const targets = sends.flatMap(({ Resource }) => JSON.stringify(Resource));
    expect(targets).toHaveLength(2);
    for (const target of targets) expect(target).toMatch(/Networkopen(Queue|DeadLetters)/);
  });
});

const accounts = `
  - { name: near, mode: act }
  - name: far
    mode: act
    account: { roleArn: "arn:aws:iam::222222222222:role/outrider-cluster", externalId: "planted-id" }
  - name: further
    mode: act
    account: { roleArn: "arn:aws:iam::222222222222:role/outrider-cluster", externalId: "planted-id" }
    discoveryTags: { cluster: further }
`;

describe('clusters in other accounts', () => {
  const file = configurationFile(`clusters:${accounts}`);
  const withAccounts = synthesise({ configurationFile: file }).template();

  it.each(['Networkdefault', 'ForwardEvents'])('%s takes on exactly their roles', (place) => {
    const assumed = statementsOfRole(withAccounts, `${place}Role`).filter((statement) =>
      actionsOf(statement).includes('sts:AssumeRole'),
    );
    expect(assumed.map(({ Resource }) => Resource)).toEqual([
      'arn:aws:iam::222222222222:role/outrider-cluster',
    ]);
  });

  it('raises no group of this account for them', () => {
    const raises = raisesOf(statementsOf(withAccounts, 'default'));
    expect(JSON.stringify(raises)).toContain('cluster-autoscaler/near');
    expect(raises).toHaveLength(1);
  });

  it('assumes nothing where there are none', () => {
    const all = [
      ...statementsOf(template, 'open'),
      ...statementsOfRole(template, 'ForwardEventsRole'),
    ];
    expect(all.flatMap(actionsOf)).not.toContain('sts:AssumeRole');
    template.resourceCountIs('AWS::Events::EventBusPolicy', 0);
  });

  it('lets their accounts send launches that failed to the default bus, and nothing else', () => {
    withAccounts.hasResourceProperties('AWS::Events::EventBusPolicy', {
      Statement: {
        Effect: 'Allow',
        Principal: { AWS: ['222222222222'] },
        Action: 'events:PutEvents',
        Condition: {
          StringEquals: {
            'events:source': 'aws.autoscaling',
            'events:detail-type': 'EC2 Instance Launch Unsuccessful',
          },
        },
      },
    });
  });
});

describe('what forward-events may do', () => {
  it('is these actions and no other', () => {
    const statements = statementsOfRole(template, 'ForwardEventsRole');
    expect(statements.flatMap(actionsOf).toSorted()).toEqual([
      'autoscaling:DescribeAutoScalingGroups',
      'events:PutEvents',
      'logs:CreateLogStream',
      'logs:PutLogEvents',
      's3:GetObject',
      'sqs:DeleteMessage',
      'sqs:GetQueueAttributes',
      'sqs:ReceiveMessage',
      'sqs:SendMessage',
    ]);
  });

  it('puts its own kind of event on the custom bus only', () => {
    const put = statementsOfRole(template, 'ForwardEventsRole').find((statement) =>
      actionsOf(statement).includes('events:PutEvents'),
    );
    expect(JSON.stringify(put?.Resource)).toMatch(/OutriderEventBus/);
    expect(put?.Condition).toEqual({
      'ForAllValues:StringEquals': {
        'events:source': ['outrider.forwarded'],
        'events:detail-type': ['Launch Failed'],
      },
      Null: { 'events:source': 'false', 'events:detail-type': 'false' },
    });
  });
});

describe('grantPutEvents', () => {
  it('lets a relay send hints of its own cluster and nothing else', () => {
    const { outrider, stack, template: later } = synthesise();
    const relay = new Role(stack, 'Relay', {
      assumedBy: new ServicePrincipal('ec2.amazonaws.com'),
    });
    outrider.grantPutEvents('actor', relay);
    expect(statementsOfRole(later(), 'Relay')).toEqual([
      {
        Effect: 'Allow',
        Action: 'events:PutEvents',
        Resource: expect.objectContaining({ 'Fn::GetAtt': expect.anything() }),
        Condition: {
          'ForAllValues:StringEquals': {
            'events:source': ['outrider.cluster.actor'],
            'events:detail-type': ['Pod Pending', 'Node Signal', 'Heartbeat', 'Kubernetes Event'],
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

function raisesOf(statements: readonly Statement[]): readonly Statement[] {
  return statements.filter((each) => actionsOf(each).includes('autoscaling:SetDesiredCapacity'));
}

function raisesWith(clusters: string): readonly Statement[] {
  const file = configurationFile(`clusters:${clusters}`);
  return raisesOf(statementsOf(synthesise({ configurationFile: file }).template(), 'default'));
}
