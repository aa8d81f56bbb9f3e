import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateEventBusCommand,
  EventBridgeClient,
  PutRuleCommand,
  PutTargetsCommand,
} from '@aws-sdk/client-eventbridge';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PodPendingEvent, podPendingEvent } from '#events/pod-pending.ts';
import { type AwsEmulator, startAwsEmulator } from '../../testbed/aws-emulator.ts';
import { type ControlPlane, startControlPlane } from '../../testbed/control-plane.ts';
import { testbedAvailable } from '../../testbed/testbed.ts';

const unavailable = await testbedAvailable();
const bus = 'outrider';
let controlPlane: ControlPlane;
let emulator: AwsEmulator;
let queueUrl: string;

const createPod = async (name: string): Promise<void> => {
  const container = { name: 'main', image: 'none', resources: { requests: { cpu: '64' } } };
  await controlPlane.admin.create('/api/v1/namespaces/default/pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec: { containers: [container] },
  });
};

/** Takes what has come to the queue. */
const receive = async (sqs: SQSClient): Promise<readonly PodPendingEvent[]> => {
  const take = { QueueUrl: queueUrl, MaxNumberOfMessages: 10 };
  const { Messages = [] } = await sqs.send(new ReceiveMessageCommand(take));
  for (const { ReceiptHandle } of Messages) {
    await sqs.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle }));
  }
  return Messages.map(({ Body = '' }) => podPendingEvent.parse(JSON.parse(Body)));
};

const startRelay = () => {
  const flags = ['--cluster', 'prod', '--network', 'main', '--bus', bus];
  const relay = spawn(
    process.execPath,
    ['relay/main.ts', ...flags, '--kubeconfig', controlPlane.kubeconfigPath],
    { env: { ...process.env, ...emulator.env }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const lines: { readonly message: string }[] = [];
  let rest = '';
  relay.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts.map((line) => JSON.parse(line)));
  });
  const ended = new Promise<number | null>((done) => relay.once('exit', done));
  return {
    lines,
    stop: async () => {
      relay.kill('SIGTERM');
      return await ended;
    },
  };
};

describe.skipIf(unavailable !== undefined)(`relay${unavailable ? ` (${unavailable})` : ''}`, () => {
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'outrider-relay-'));
    const options = { folder, progress: () => {} };
    [controlPlane, emulator] = await Promise.all([
      startControlPlane(options),
      startAwsEmulator({ ...options, enforceIam: false }),
    ]);
    const events = new EventBridgeClient(emulator.clientConfig);
    const sqs = new SQSClient(emulator.clientConfig);
    const queue = await sqs.send(new CreateQueueCommand({ QueueName: 'hints' }));
    queueUrl = queue.QueueUrl ?? '';
    const wanted = { QueueUrl: queueUrl, AttributeNames: ['QueueArn' as const] };
    const { Attributes } = await sqs.send(new GetQueueAttributesCommand(wanted));
    const Arn = Attributes?.QueueArn;
    await events.send(new CreateEventBusCommand({ Name: bus }));
    const EventPattern = JSON.stringify({ source: ['outrider.cluster.prod'] });
    await events.send(new PutRuleCommand({ Name: 'hints', EventBusName: bus, EventPattern }));
    const Targets = [{ Id: 'queue', Arn }];
    await events.send(new PutTargetsCommand({ Rule: 'hints', EventBusName: bus, Targets }));
  });
  afterAll(async () => {
    await Promise.all([controlPlane?.stop(), emulator?.stop()]);
  });

  it('tells of pods that nothing can host, once each, and ends cleanly on SIGTERM', async () => {
    const sqs = new SQSClient(emulator.clientConfig);
    await createPod('before');
    const relay = startRelay();
    const told: string[] = [];
    const takeAll = async () => {
      const events = await receive(sqs);
      told.push(...events.flatMap(({ detail }) => detail.pods.map(({ name }) => name)));
      return told;
    };
    const soon = { timeout: 30_000, interval: 100 };
    await expect.poll(takeAll, soon).toContain('before');
    await Promise.all(['one', 'two', 'three'].map(createPod));
    await expect.poll(takeAll, soon).toEqual(expect.arrayContaining(['one', 'two', 'three']));
    expect(await relay.stop()).toBe(0);
    await takeAll();
    expect(told.toSorted()).toEqual(['before', 'one', 'three', 'two']);
    expect(relay.lines.at(-1)).toMatchObject({ message: 'ended', hintLost: false });
  });
});
