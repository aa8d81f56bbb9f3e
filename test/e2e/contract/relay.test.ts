import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
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
import { nodeSignalDetail, nodeSignalDetailType } from '#events/node-signal.ts';
import { podPendingDetail, podPendingDetailType } from '#events/pod-pending.ts';
import { readQueueMessage } from '../../../functions/scale-up/read-queue-message.ts';
import { type AwsEmulator, startAwsEmulator } from '../../testbed/aws-emulator.ts';
import { type ControlPlane, startControlPlane } from '../../testbed/control-plane.ts';
import { testbedAvailable } from '../../testbed/testbed.ts';
import '../../helpers/own-temporary-folder.ts';

const unavailable = await testbedAvailable();
const bus = 'outrider';
let controlPlane: ControlPlane;
let emulator: AwsEmulator;
let queueUrl: string;
let folder: string;

const createPod = async (name: string): Promise<void> => {
  const container = { name: 'main', image: 'none', resources: { requests: { cpu: '64' } } };
  await controlPlane.admin.create('/api/v1/namespaces/default/pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec: { containers: [container] },
  });
};

const createNode = async (name: string): Promise<void> => {
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name } };
  await controlPlane.admin.create('/api/v1/nodes', node);
};

const setReady = async (name: string, status: string): Promise<void> => {
  const conditions = [{ type: 'Ready', status, reason: 'KubeletReady' }];
  const path = `/api/v1/nodes/${name}/status`;
  await controlPlane.admin.patch(path, 'strategic-merge', { status: { conditions } });
};

/** What has come to the queue up to now, by kind; every message of it must be one that Outrider reads. */
const inbox = () => {
  const pods: string[] = [];
  const nodes: string[] = [];
  let beats = 0;
  const note = (body: string): void => {
    const { 'detail-type': detailType, detail } = JSON.parse(body);
    expect(readQueueMessage({ body })).toMatchObject({ cluster: 'prod' });
    if (detailType === podPendingDetailType) {
      pods.push(...podPendingDetail.parse(detail).pods.map(({ name }) => name));
    } else if (detailType === nodeSignalDetailType) {
      const { node, change, conditions } = nodeSignalDetail.parse(detail);
      nodes.push([node, change, ...conditions.map(({ type, status }) => type + status)].join(' '));
    } else beats += 1;
  };
  const take = async () => {
    const sqs = new SQSClient(emulator.clientConfig);
    const batch = { QueueUrl: queueUrl, MaxNumberOfMessages: 10 };
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand(batch));
    for (const { ReceiptHandle, Body = '' } of Messages) {
      await sqs.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle }));
      note(Body);
    }
    return { pods, nodes, beats };
  };
  return { take };
};

/** The file of the container image, as whom the image runs: with a token that AWS trusts and no keys. */
const startRelay = () => {
  const bundle = join(folder, 'relay.mjs');
  execFileSync(process.execPath, ['relay/bundle.ts', bundle]);
  writeFileSync(join(folder, 'aws-token'), 'a token of the service account');
  const flags = ['--cluster', 'prod', '--network', 'main', '--bus', bus];
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, ...reach } = emulator.env;
  const relay = spawn(
    process.execPath,
    [bundle, ...flags, '--kubeconfig', controlPlane.kubeconfigPath],
    {
      cwd: folder,
      env: {
        ...reach,
        AWS_ROLE_ARN: 'arn:aws:iam::000000000000:role/outrider-relay',
        AWS_WEB_IDENTITY_TOKEN_FILE: join(folder, 'aws-token'),
        AWS_EC2_METADATA_DISABLED: 'true',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
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
    folder = mkdtempSync(join(tmpdir(), 'outrider-relay-'));
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

  it('tells of pods that nothing can host and of nodes that change, beats, and ends cleanly on SIGTERM', async () => {
    const { take } = inbox();
    const soon = { timeout: 90_000, interval: 100 };
    await createPod('before');
    await createNode('there-before');
    const relay = startRelay();
    await expect.poll(async () => (await take()).pods, soon).toContain('before');
    await Promise.all(['one', 'two', 'three'].map(createPod));
    await createNode('new');
    const pods = expect.arrayContaining(['one', 'two', 'three']);
    await expect.poll(async () => (await take()).pods, soon).toEqual(pods);
    await expect.poll(async () => (await take()).nodes, soon).toEqual(['new appeared']);
    await setReady('new', 'True');
    await expect.poll(async () => (await take()).nodes.at(-1), soon).toBe('new changed ReadyTrue');
    await controlPlane.admin.remove('/api/v1/nodes/new');
    await expect.poll(async () => (await take()).nodes.at(-1), soon).toBe('new gone');
    await expect.poll(async () => (await take()).beats, soon).toBeGreaterThan(0);
    expect(await relay.stop()).toBe(0);
    const told = await take();
    expect(told.pods.toSorted()).toEqual(['before', 'one', 'three', 'two']);
    expect(relay.lines.at(-1)).toMatchObject({ message: 'ended', hintLost: false });
  });
});
