import { AutoScalingClient, DeleteAutoScalingGroupCommand } from '@aws-sdk/client-auto-scaling';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clusterSourceOf } from '#events/cluster-source.ts';
import { podPendingDetailType } from '#events/pod-pending.ts';
import { sweepDetailType, sweepSource } from '#events/sweep.ts';
import { registerCluster } from '../../testbed/demonstration.ts';
import { bootstrap, deployApp } from '../../testbed/deploy.ts';
import type { RecordedCall } from '../../testbed/emulator-control.ts';
import { eventually } from '../../testbed/eventually.ts';
import { withoutTestbed } from '../../testbed/loud-skip.ts';
import { makeNodeGroup } from '../../testbed/node-group.ts';
import { startTestbed, type Testbed } from '../../testbed/testbed.ts';
import { clusterView } from './cluster-view.ts';
import { actionsOfCall, callsOf, grantsOf } from './granted.ts';
import { itemsOf, leaks, logsOf, messagesOf, objectsOf } from './planted.ts';
import '../../helpers/own-temporary-folder.ts';

/*
 * Policies against calls: the run below makes Outrider do everything that it can do in one account, and then
 * each grant must have been used and no call refused. What it must never write is planted beforehand.
 */

/** A group is a person's business after three failures in a row; these come within seconds. */
const configuration = `networks:
  - name: main
clusters:
  - name: demo
    network: main
    mode: act
    scaling: { backOff: { initial: 1s, max: 1s, reset: 1h } }
`;

const scaleUp = 'NetworkmainRole';
const forward = 'ForwardEventsRole';

const byLambda =
  'Lambda itself does it with the function’s role; the emulator writes its logs inside.';
const byPoller =
  'Lambda’s poller does it with the function’s role; the emulator’s reads the queue inside.';
const bySns = 'SNS asks the key for it on behalf of whoever publishes; the emulator does not.';

/** Grants that a run on the test bed cannot use, each with the reason. Any other that is unused is too many. */
const notSeen: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [scaleUp]: {
    'logs:CreateLogStream': byLambda,
    'logs:PutLogEvents': byLambda,
    'sqs:ReceiveMessage': byPoller,
    'sqs:DeleteMessage': byPoller,
    'sqs:GetQueueAttributes': byPoller,
    'kms:GenerateDataKey': bySns,
    'kms:Decrypt': bySns,
  },
  [forward]: {
    'logs:CreateLogStream': byLambda,
    'logs:PutLogEvents': byLambda,
    'sqs:ReceiveMessage': byPoller,
    'sqs:DeleteMessage': byPoller,
    'sqs:GetQueueAttributes': byPoller,
  },
};

const planted = {
  'environment value': 'planted-environment-7f3a',
  argument: 'planted-argument-7f3a',
  annotation: 'planted-annotation-7f3a',
};

describe.skipIf(await withoutTestbed())('the deployed roles', () => {
  let testbed: Testbed;
  let outputs: Readonly<Record<string, string>>;
  let calls: readonly RecordedCall[];

  beforeAll(async () => {
    testbed = await startTestbed();
    const lines: string[] = [];
    const progress = (line: string): void => void lines.push(line);
    try {
      await prepare(testbed);
      await bootstrap(testbed.emulator, progress);
      outputs = await deployApp({ emulator: testbed.emulator, configuration, progress });
    } catch (error) {
      throw new Error(`not deployed:\n${lines.slice(-40).join('\n')}`, { cause: error });
    }
    await drive(testbed, outputs);
    calls = await testbed.emulator.control.calls();
  });

  afterAll(async () => {
    await testbed?.stop();
  });

  it.each([scaleUp, forward])('%s was refused nothing', (place) => {
    const own = callsOf(calls, place);
    expect(own.length).toBeGreaterThan(5);
    const refused = own.filter(({ status, fault }) => status === 403 && fault === undefined);
    expect(refused).toEqual([]);
  });

  it.each([scaleUp, forward])('%s has no grant that was not used', async (place) => {
    const grants = await grantsOf(testbed.emulator.clientConfig, [place]);
    const granted = grants.get(place) ?? new Set();
    const used = new Set(callsOf(calls, place).flatMap(actionsOfCall));
    expect([...used].filter((action) => !granted.has(action))).toEqual([]);
    expect([...granted].filter((action) => !used.has(action)).toSorted()).toEqual(
      Object.keys(notSeen[place] ?? {}).toSorted(),
    );
  });

  it('write no secret into decisions, the table, queues, logs or calls', async () => {
    const { emulator } = testbed;
    const secrets = new SecretsManagerClient(emulator.clientConfig);
    const { SecretString = '' } = await secrets.send(
      new GetSecretValueCommand({ SecretId: 'outrider/demo' }),
    );
    secrets.destroy();
    const { token } = JSON.parse(SecretString) as { readonly token: string };
    expect(token.length).toBeGreaterThan(100);
    const queues = Object.entries(outputs).flatMap(([name, url]) =>
      name.endsWith('QueueUrl') ? [url] : [],
    );
    expect(queues.length).toBeGreaterThanOrEqual(4);
    const places = await Promise.all([
      objectsOf(emulator, outputs.DecisionsBucketName ?? ''),
      itemsOf(emulator, outputs.TableName ?? ''),
      messagesOf(emulator, queues),
      logsOf(emulator),
    ]);
    for (const found of places) expect(found.size).toBeGreaterThan(0);
    // Something is in them at all, so that it would be found.
    const all = new Map(places.flatMap((found) => [...found]));
    expect(leaks(all, { 'the planted pod': 'planted-pod' }).length).toBeGreaterThan(0);
    const parameters = new Map(
      calls
        .filter(({ principal }) => /role\/Outrider/.test(principal))
        .map((call, index) => [`call ${index} ${call.action}`, call.parameters ?? '']),
    );
    // A recognisable part, since a token may be cut.
    const secretParts = { token: token.slice(-60), ...planted };
    expect(leaks(new Map([...all, ...parameters]), secretParts)).toEqual([]);
  });
});

const prepare = async (testbed: Testbed): Promise<void> => {
  await registerCluster(testbed, 'outrider/demo');
  for (const name of ['workers', 'failing']) {
    await makeNodeGroup(testbed.emulator, {
      name,
      cluster: 'demo',
      instanceType: 'm5.large',
      max: 5,
      tags: { 'k8s.io/cluster-autoscaler/node-template/label/pool': name },
    });
  }
};

/** Makes Outrider do each thing that it can do here. */
const drive = async (
  { emulator, controlPlane }: Testbed,
  outputs: Readonly<Record<string, string>>,
): Promise<void> => {
  const cluster = clusterView(controlPlane);
  const bus = new EventBridgeClient(emulator.clientConfig);
  const sqs = new SQSClient(emulator.clientConfig);
  const hint = () =>
    bus.send(
      new PutEventsCommand({
        Entries: [
          {
            EventBusName: outputs.EventBusName,
            Source: clusterSourceOf('demo'),
            DetailType: podPendingDetailType,
            Detail: JSON.stringify({ cluster: 'demo', network: 'main', pods: [] }),
          },
        ],
      }),
    );
  const send = (queue: string | undefined, body: unknown) =>
    sqs.send(new SendMessageCommand({ QueueUrl: queue, MessageBody: JSON.stringify(body) }));
  /** Sends hints until a role has made such a call. */
  const until = (place: string, action: string, sinceMs = 0) =>
    eventually(`${action} of ${place}`, async () => {
      const made = callsOf(await emulator.control.calls({ sinceMs }), place);
      if (made.some((call) => actionsOfCall(call).includes(action))) return true;
      await hint();
      await new Promise((resolve) => setTimeout(resolve, 500));
      return undefined;
    });

  // A look that raises.
  await controlPlane.admin.create('/api/v1/namespaces/default/pods', plantedPod);
  await cluster.unschedulable('planted-pod');
  await until(scaleUp, 'autoscaling:SetDesiredCapacity');
  await cluster.running('planted-pod', 1);

  // Launches that fail, until somebody is woken: AWS's own event goes by forward-events.
  await emulator.control.inject({
    service: 'autoscaling',
    action: 'Launch',
    code: 'InsufficientInstanceCapacity',
    times: 1000,
    group: 'failing',
  });
  await cluster.createPod({ name: 'unlucky', pool: 'failing', cpu: '1' });
  await cluster.unschedulable('unlucky');
  await until(forward, 'events:PutEvents');
  await until(scaleUp, 'sns:Publish');
  await cluster.removePod('unlucky');
  await emulator.control.clearFaults();

  // A Node that claims an instance of nobody's.
  await controlPlane.admin.create('/api/v1/nodes', {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'stranger' },
    spec: { providerID: 'aws:///us-east-1a/i-0fedcba9876543210' },
  });
  await until(scaleUp, 'autoscaling:DescribeAutoScalingInstances');
  await controlPlane.admin.remove('/api/v1/nodes/stranger');

  // A sweep, and messages that nothing can be done with.
  const network = outputs.NetworkmainQueueUrl;
  await send(network, {
    source: sweepSource,
    'detail-type': sweepDetailType,
    detail: { network: 'main' },
  });
  await send(network, { broken: planted['environment value'].slice(0, 7) });
  await send(outputs.ForwardQueueUrl, { broken: true });
  await until(forward, 'sqs:SendMessage');
  await until(scaleUp, 'sqs:SendMessage');

  // A hint that meets a passing fault goes back.
  const sinceMs = Date.now();
  await emulator.control.inject({
    service: 'autoscaling',
    action: 'DescribeAutoScalingGroups',
    code: 'InternalFailure',
    times: 50,
  });
  await until(scaleUp, 'sqs:ChangeMessageVisibility', sinceMs);
  await emulator.control.clearFaults();

  // A group that goes takes its ledger entry with it.
  const autoScaling = new AutoScalingClient(emulator.clientConfig);
  await autoScaling.send(
    new DeleteAutoScalingGroupCommand({ AutoScalingGroupName: 'failing', ForceDelete: true }),
  );
  autoScaling.destroy();
  await until(scaleUp, 'dynamodb:DeleteItem');
  bus.destroy();
  sqs.destroy();
};

const plantedPod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'planted-pod',
    labels: { app: 'planted-pod' },
    annotations: {
      'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({
        env: planted.annotation,
      }),
    },
  },
  spec: {
    nodeSelector: { pool: 'workers' },
    terminationGracePeriodSeconds: 0,
    containers: [
      {
        name: 'main',
        image: 'none',
        args: ['--password', planted.argument],
        env: [{ name: 'PASSWORD', value: planted['environment value'] }],
        resources: { requests: { cpu: '1', memory: '256Mi' } },
      },
    ],
  },
};
