import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { describe, expect, it } from 'vitest';
import { Outrider } from '../../../infra/constructs/outrider.ts';
import { appWithoutBundles, configurationFile, synthesise } from './synthesise.ts';

const withRelays = configurationFile(`
networks: [{ name: open }, { name: walled }]
clusters:
  - { name: actor, network: open, relay: true }
  - { name: quiet, network: walled }
`);
const template = synthesise({ configurationFile: withRelays }).template();
const alarms = Object.entries(template.findResources('AWS::CloudWatch::Alarm'));
const said = (id: RegExp) =>
  alarms
    .filter(([name]) => id.test(name))
    .map(([, { Properties }]) => {
      const sign = Properties.ComparisonOperator === 'LessThanThreshold' ? '<' : '>';
      return `${Properties.MetricName} ${sign} ${Properties.Threshold}, missing is ${Properties.TreatMissingData}`;
    })
    .toSorted();

describe('the alarms', () => {
  it.each(['Networkopen', 'Networkwalled', 'ForwardEvents'])(
    'watch the queues and the function of %s',
    (place) => {
      expect(said(new RegExp(place))).toEqual([
        'ApproximateAgeOfOldestMessage > 600, missing is notBreaching',
        'ApproximateNumberOfMessagesVisible > 0, missing is notBreaching',
        'ApproximateNumberOfMessagesVisible > 0, missing is notBreaching',
        'Errors > 0, missing is notBreaching',
      ]);
    },
  );

  it('watch each cluster, and the heartbeat of those that have a relay', () => {
    expect(said(/Clusteractor/)).toEqual([
      'LooksFailed > 3, missing is notBreaching',
      'RelayHeartbeats < 1, missing is breaching',
    ]);
    expect(said(/Clusterquiet/)).toEqual(['LooksFailed > 3, missing is notBreaching']);
    for (const [id, { Properties }] of alarms) {
      if (!id.includes('Cluster')) continue;
      expect(Properties).toMatchObject({ Namespace: 'Outrider', Statistic: 'Sum', Period: 300 });
    }
  });

  it('tell the topic of pages, and beside it the topic that was given', () => {
    for (const [, { Properties }] of alarms) {
      expect(JSON.stringify(Properties.AlarmActions)).toMatch(/^\[\{"Ref":"OutriderPagesTopic/);
    }
    const stack = new Stack(appWithoutBundles(), 'Test');
    const alarmTopic = new Topic(stack, 'Topic');
    new Outrider(stack, 'Outrider', { configurationFile: withRelays, alarmTopic });
    const told = Object.values(Template.fromStack(stack).findResources('AWS::CloudWatch::Alarm'));
    expect(told).toHaveLength(alarms.length);
    for (const { Properties } of told) expect(Properties.AlarmActions).toHaveLength(2);
  });
});

describe('the topic of pages', () => {
  it('is encrypted under a key that alarms may use, which the key of AWS for SNS would not allow', () => {
    template.hasResourceProperties('AWS::KMS::Key', { EnableKeyRotation: true });
    const [key] = Object.values(template.findResources('AWS::KMS::Key'));
    expect(key?.Properties.KeyPolicy.Statement).toContainEqual(
      expect.objectContaining({
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Action: ['kms:Decrypt', 'kms:GenerateDataKey*'],
      }),
    );
    const [topic] = Object.values(template.findResources('AWS::SNS::Topic'));
    expect(JSON.stringify(topic?.Properties.KmsMasterKeyId)).toContain('OutriderPagesKey');
  });

  it('takes messages of the account’s alarms, and of nobody without TLS', () => {
    const [policy] = Object.values(template.findResources('AWS::SNS::TopicPolicy'));
    const statements = policy?.Properties.PolicyDocument.Statement;
    expect(statements).toContainEqual(
      expect.objectContaining({
        Effect: 'Allow',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Action: 'sns:Publish',
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      }),
    );
    expect(statements).toContainEqual(
      expect.objectContaining({
        Effect: 'Deny',
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
    );
  });
});

describe('the dashboard', () => {
  const [board] = Object.values(template.findResources('AWS::CloudWatch::Dashboard'));
  const body = JSON.stringify(board?.Properties.DashboardBody);

  it.each([
    ['PendingPods', 'cluster,reason'],
    ['NodesRequested', 'cluster'],
    ['SecondsToRaise', 'cluster'],
    ['LedgerAgeSeconds', 'cluster'],
    ['GroupsBackedOff', 'cluster'],
    ['NodesRefused', 'cluster'],
    ['LooksFailed', 'cluster'],
    ['LookDuration', 'cluster'],
    ['RelayHeartbeats', 'cluster'],
    ['ApiCalls', 'api'],
  ])('shows %s by %s, whatever clusters there are', (metric, dimensions) => {
    expect(body).toMatch(
      new RegExp(`SEARCH\\('\\{Outrider,${dimensions}\\} MetricName=\\W+${metric}\\W`),
    );
  });

  it('shows the time to a raise in the middle and at its worst', () => {
    expect(body).toMatch(/SecondsToRaise\W+, 'p50', 60/);
    expect(body).toMatch(/SecondsToRaise\W+, 'p99', 60/);
  });

  it('shows every queue and function', () => {
    for (const name of ['Network open', 'Network walled', 'Events of AWS']) {
      expect(body).toContain(`${name}: dead letters`);
      expect(body).toContain(`${name}: undelivered`);
    }
    expect(body).toContain('ApproximateAgeOfOldestMessage');
    expect(body).toContain('Errors');
  });
});
