import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import {
  AutoScalingClient,
  SetDesiredCapacityCommand,
  TerminateInstanceInAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DisableRuleCommand,
  EnableRuleCommand,
  EventBridgeClient,
  ListRulesCommand,
  PutEventsCommand,
} from '@aws-sdk/client-eventbridge';
import {
  GetFunctionConfigurationCommand,
  InvokeCommand,
  LambdaClient,
} from '@aws-sdk/client-lambda';
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import {
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import type { SQSBatchResponse } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dynamodbClusterLeases } from '#adapters/aws/dynamodb-cluster-leases.ts';
import { dynamodbJournal } from '#adapters/aws/dynamodb-journal.ts';
import { podPendingDetailType, podPendingSourcePrefix } from '#events/pod-pending.ts';
import { sweepDetailType, sweepSource } from '#events/sweep.ts';
import { replay } from '#operations/replay.ts';
import type { Child } from '../../testbed/child.ts';
import { eventually } from '../../testbed/eventually.ts';
import { withoutTestbed } from '../../testbed/loud-skip.ts';
import { sqsEvent, sqsRecord } from '../../unit/functions/queue-messages.ts';
import { clusterView, type Pod } from './cluster-view.ts';
import { type DeployedOutrider, deployOutrider } from './deployed-outrider.ts';
import '../../helpers/own-temporary-folder.ts';

const say = (line: string): void => void process.stderr.write(`${line}\n`);
/** Numbers from 0 (included) to 1, the same for a seed (a linear congruential generator). */
const seededRandom = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? Number.NaN;

describe.skipIf(await withoutTestbed())('the deployed pipeline', () => {
  let outrider: DeployedOutrider;
  let cluster: ReturnType<typeof clusterView>;
  let relay: Child | undefined;
  let config: DeployedOutrider['testbed']['emulator']['clientConfig'];
  let sqs: SQSClient;

  beforeAll(async () => {
    outrider = await deployOutrider();
    cluster = clusterView(outrider.testbed.controlPlane);
    config = outrider.testbed.emulator.clientConfig;
    sqs = new SQSClient(config);
    // What follows must be the relay's doing; two tests ask for the sweep.
    await sweep(false);
    relay = await outrider.startRelay();
  });

  afterAll(async () => {
    sqs?.destroy();
    await relay?.stop();
    await outrider?.stop();
  });

  /** Turns the schedule on or off. */
  const sweep = async (on: boolean): Promise<void> => {
    const events = new EventBridgeClient(config);
    const { Rules = [] } = await events.send(new ListRulesCommand({}));
    const scheduled = Rules.filter(({ ScheduleExpression }) => ScheduleExpression !== undefined);
    expect(scheduled.map(({ ScheduleExpression }) => ScheduleExpression)).toEqual([
      'rate(1 minute)',
    ]);
    for (const { Name } of scheduled) {
      await events.send(on ? new EnableRuleCommand({ Name }) : new DisableRuleCommand({ Name }));
    }
    events.destroy();
  };

  const hintOf = ({ namespace = 'default', name, uid }: Pod['metadata']) => ({
    EventBusName: outrider.bus,
    Source: `${podPendingSourcePrefix}demo`,
    DetailType: podPendingDetailType,
    Detail: JSON.stringify({ cluster: 'demo', network: 'main', pods: [{ namespace, name, uid }] }),
  });

  type Hint = ReturnType<typeof hintOf>;

  /** Why the look was taken that decided this raise: `workers-a 0 -> 3`. */
  const triggerOf = async (raise: string): Promise<string | undefined> =>
    (await journal().list('demo', 100)).find(({ said }) => said.includes(raise))?.trigger;

  const raisesOf = async (group: string, sinceMs = 0) =>
    (
      await outrider.testbed.emulator.control.calls({
        service: 'autoscaling',
        action: 'SetDesiredCapacity',
        sinceMs,
      })
    ).filter(
      ({ parameters }) =>
        new URLSearchParams(parameters ?? '').get('AutoScalingGroupName') === group,
    );

  /** Every message that was sent has been settled. */
  const queueIsEmpty = async (): Promise<void> => {
    await eventually('an empty queue', async () => {
      const { Attributes = {} } = await sqs.send(
        new GetQueueAttributesCommand({ QueueUrl: outrider.queueUrl, AttributeNames: ['All'] }),
      );
      const left =
        Number(Attributes.ApproximateNumberOfMessages) +
        Number(Attributes.ApproximateNumberOfMessagesNotVisible);
      return left === 0 ? true : undefined;
    });
  };

  /** Nobody holds the cluster, and no mark is left behind. */
  const leaseIsFree = async (name: string): Promise<void> => {
    const leases = dynamodbClusterLeases(new DynamoDBClient(config), outrider.table);
    await eventually(`a free lease of ${name} without marks`, async () => {
      const lease = await leases.read(name);
      return lease?.holder === undefined && lease?.marks === 0 ? true : undefined;
    });
  };

  const nodesIn = async (group: string): Promise<number> =>
    (await outrider.testbed.emulator.control.groups()).find(({ name }) => name === group)?.instances
      .length ?? 0;

  const journal = () =>
    dynamodbJournal({
      dynamodb: new DynamoDBClient(config),
      table: outrider.table,
      s3: new S3Client({ ...config, forcePathStyle: true }),
      bucket: outrider.bucket,
    });

  it('makes exactly as many nodes as a Deployment needs, by one raise, and its pods run', async () => {
    await cluster.createDeployment({ name: 'web', pool: 'workers-a', cpu: '900m', replicas: 5 });
    const pods = await cluster.running('web', 5);
    expect(await nodesIn('workers-a')).toBe(3);
    expect(new Set(pods.map(({ spec }) => spec.nodeName)).size).toBe(3);
    const raises = await raisesOf('workers-a');
    expect(raises.map(({ status }) => status)).toEqual([200]);
    expect(await nodesIn('workers-b')).toBe(0);
    expect(await triggerOf('workers-a 0 -> 3')).toBe('pod-pending');
  });

  it('says on each pod which group was raised and why', async () => {
    for (const { metadata } of await cluster.pods('web')) {
      const note = await cluster.eventNote(metadata.name, 'TriggeredScaleUp');
      expect(note).toMatch(/workers-a from 0 to 3/);
      expect(note).toMatch(/5 pods/);
    }
  });

  it('says on a pod that nothing can host what every group lacks', async () => {
    await cluster.createPod({ name: 'huge', pool: 'workers-a', cpu: '64' });
    const note = await cluster.eventNote('huge', 'NotTriggerScaleUp');
    for (const group of ['workers-a', 'workers-b', 'warm', 'broken']) expect(note).toContain(group);
    expect(note).toMatch(/workers-a: .*(cpu|CPU)/);
    expect(note).toMatch(/broken: .*gpu:Sometimes/);
    await cluster.removePod('huge');
  });

  it('raises within moments of the Pending condition, one pod after another', async () => {
    const delays: number[] = [];
    const watch = cluster.watchPods();
    for (let index = 1; index <= 22; index += 1) {
      const name = `one-${index}`;
      const sinceMs = Date.now();
      await cluster.createPod({ name, pool: 'warm', cpu: '1500m' });
      const seenMs = await watch.refusedAtMs(name);
      const raise = await eventually(`the raise for ${name}`, async () =>
        (await raisesOf('warm', sinceMs)).at(0),
      );
      expect(raise.status).toBe(200);
      expect(raise.atMs).toBeGreaterThanOrEqual(seenMs);
      delays.push(raise.atMs - seenMs);
      await cluster.running(name, 1);
    }
    watch.end();
    expect(await nodesIn('warm')).toBe(22);
    say(
      `From the Pending condition to SetDesiredCapacity over ${delays.length} pods: ` +
        `p50 ${percentile(delays, 0.5)} ms, max ${percentile(delays, 1)} ms`,
    );
  });

  it('finds by its sweep what no hint told it', async () => {
    await relay?.stop();
    relay = undefined;
    await queueIsEmpty();
    const sinceMs = Date.now();
    await cluster.createPod({ name: 'unannounced', pool: 'workers-b', cpu: '1' });
    await sweep(true);
    await cluster.running('unannounced', 1);
    await sweep(false);
    const raises = await raisesOf('workers-b', sinceMs);
    expect(raises).toHaveLength(1);
    expect(await triggerOf('workers-b 0 -> 1')).toBe('sweep');
  });

  it('raises once for hints sent five times and shuffled', async () => {
    const bus = new EventBridgeClient(config);
    const sinceMs = Date.now();
    await cluster.createDeployment({ name: 'shop', pool: 'workers-b', cpu: '3', replicas: 4 });
    const pods = await eventually('four pods of shop', async () => {
      const found = await cluster.pods('shop');
      return found.length === 4 ? found : undefined;
    });
    await Promise.all(pods.map(({ metadata }) => cluster.unschedulable(metadata.name)));
    const hints = pods.flatMap(({ metadata }) => Array.from({ length: 5 }, () => hintOf(metadata)));
    const random = seededRandom(7);
    for (let last = hints.length - 1; last > 0; last -= 1) {
      const other = Math.floor(random() * (last + 1));
      [hints[last], hints[other]] = [hints[other] as Hint, hints[last] as Hint];
    }
    await Promise.all(
      [hints.slice(0, 10), hints.slice(10)].map((Entries) =>
        bus.send(new PutEventsCommand({ Entries })),
      ),
    );
    await cluster.running('shop', 4);
    await queueIsEmpty();
    expect(await raisesOf('workers-b', sinceMs)).toHaveLength(1);
    expect(await triggerOf('workers-b 1 -> 5')).toBe('pod-pending');
    bus.destroy();
  });

  it('leaves a mark with whoever acts on the cluster, and wakes up for it where they have died', async () => {
    const leases = dynamodbClusterLeases(new DynamoDBClient(config), outrider.table);
    await eventually('the lease of demo', () =>
      leases.acquire({ cluster: 'demo', owner: 'test', nowMs: Date.now(), ttlMs: 8_000 }),
    );
    const sinceMs = Date.now();
    await cluster.createPod({ name: 'patient', pool: 'workers-b', cpu: '3500m' });
    await cluster.unschedulable('patient');
    const [pod] = await cluster.pods('patient');
    const bus = new EventBridgeClient(config);
    await bus.send(new PutEventsCommand({ Entries: pod ? [hintOf(pod.metadata)] : [] }));
    bus.destroy();
    await eventually('the mark', async () =>
      (await leases.read('demo'))?.marks === 1 ? true : undefined,
    );
    expect(await raisesOf('workers-b', sinceMs)).toEqual([]);
    await cluster.running('patient', 1);
    expect(await raisesOf('workers-b', sinceMs)).toHaveLength(1);
    const { calls } = outrider.testbed.emulator.control;
    expect(await calls({ action: 'ChangeMessageVisibility', sinceMs })).toEqual([]);
    const [latest] = await journal().list('demo', 1);
    expect(latest?.trigger).toBe('marked');
    await leaseIsFree('demo');
  });

  it('raises once where ten functions, a sweep and a command look at once', async () => {
    const sinceMs = Date.now();
    await cluster.createDeployment({ name: 'crowd', pool: 'crowded', cpu: '900m', replicas: 6 });
    const pods = await eventually('six pods of crowd', async () => {
      const found = await cluster.pods('crowd');
      return found.length === 6 ? found : undefined;
    });
    await Promise.all(pods.map(({ metadata }) => cluster.unschedulable(metadata.name)));
    const { Source, DetailType, Detail } = hintOf(pods[0]?.metadata as Pod['metadata']);
    const hint = { source: Source, 'detail-type': DetailType, detail: JSON.parse(Detail) };
    const sweeping = {
      source: sweepSource,
      'detail-type': sweepDetailType,
      detail: { network: 'main' },
    };
    const lambda = new LambdaClient({ ...config, maxAttempts: 1 });
    const invoke = async (id: string, body: object) => {
      const { Payload, FunctionError } = await lambda.send(
        new InvokeCommand({
          FunctionName: outrider.functionName,
          Payload: JSON.stringify(sqsEvent(sqsRecord(id, body))),
        }),
      );
      expect(FunctionError).toBeUndefined();
      return JSON.parse(Buffer.from(Payload ?? []).toString()) as SQSBatchResponse;
    };
    const cli = fileURLToPath(new URL('../../../cli/main.ts', import.meta.url));
    const [answers, byHand] = await Promise.all([
      Promise.all([
        ...Array.from({ length: 10 }, (_, index) => invoke(`hint-${index}`, hint)),
        invoke('sweep', sweeping),
      ]),
      promisify(execFile)(
        process.execPath,
        [cli, 'scale-up', '--stack', 'Outrider', '--cluster', 'demo', '--json'],
        { env: outrider.testbed.emulator.env },
      ),
    ]);
    // Every message was either looked at or marked: none has to come back.
    expect(answers.flatMap(({ batchItemFailures }) => batchItemFailures)).toEqual([]);
    expect(['done', 'marked']).toContain(JSON.parse(byHand.stdout).outcome.status);
    await cluster.running('crowd', 6);
    expect(await raisesOf('crowded', sinceMs)).toHaveLength(1);
    expect(await nodesIn('crowded')).toBe(3);
    await leaseIsFree('demo');
    lambda.destroy();
  });

  it('keeps a message that it cannot read as a dead letter that says why, and the rest goes on', async () => {
    const bad = JSON.stringify({
      source: `${podPendingSourcePrefix}demo`,
      'detail-type': podPendingDetailType,
      detail: { cluster: 'demo', network: 'main', pods: 'web-1' },
    });
    await cluster.createPod({ name: 'beside', pool: 'workers-b', cpu: '3500m' });
    await cluster.unschedulable('beside');
    const [pod] = await cluster.pods('beside');
    const { Source, DetailType, Detail } = hintOf(
      pod?.metadata ?? { name: '', uid: '', resourceVersion: '' },
    );
    const good = { source: Source, 'detail-type': DetailType, detail: JSON.parse(Detail) };
    await sqs.send(
      new SendMessageBatchCommand({
        QueueUrl: outrider.queueUrl,
        Entries: [
          { Id: 'bad', MessageBody: bad },
          { Id: 'good', MessageBody: JSON.stringify(good) },
        ],
      }),
    );
    await cluster.running('beside', 1);
    const letter = await eventually('the dead letter', async () => {
      const answer = await sqs.send(
        new ReceiveMessageCommand({
          QueueUrl: outrider.deadLetterQueueUrl,
          MessageAttributeNames: ['All'],
        }),
      );
      return answer.Messages?.[0];
    });
    expect(letter.Body).toBe(bad);
    expect(JSON.stringify(letter.MessageAttributes)).toMatch(/detail\.pods/);
  });

  it('only observes where it is told to: raises nothing and journals what it would do', async () => {
    await sweep(true);
    await cluster.createPod({ name: 'seen', pool: 'watched-a', cpu: '1' });
    const record = await eventually('a decision of watched that names the pod', async () => {
      const [summary] = await journal().list('watched', 1);
      const read = summary && (await journal().read(summary.id));
      return read?.decision.scaleUps.some(({ pods }) => pods.includes('default/seen'))
        ? read
        : undefined;
    });
    expect(record.mode).toBe('observe');
    expect(record.decision.scaleUps.map(({ group, from, to }) => [group, from, to])).toEqual([
      ['watched-a', 0, 1],
    ]);
    expect(await raisesOf('watched-a')).toEqual([]);
    expect(await cluster.eventNote('seen', 'WouldTriggerScaleUp')).toContain('watched-a');
    await cluster.removePod('seen');
  });

  it('gives every journalled decision again, byte for byte', async () => {
    const s3 = new S3Client({ ...config, forcePathStyle: true });
    const { Contents = [] } = await s3.send(
      new ListObjectsV2Command({ Bucket: outrider.bucket, Prefix: 'decisions/' }),
    );
    expect(Contents.length).toBeGreaterThan(22);
    const records = await Promise.all(
      Contents.map(async ({ Key = '' }) => {
        const object = await s3.send(new GetObjectCommand({ Bucket: outrider.bucket, Key }));
        return (await object.Body?.transformToByteArray()) ?? new Uint8Array();
      }),
    );
    for (const record of records) {
      expect(replay(JSON.parse(gunzipSync(record).toString()))).not.toHaveProperty('difference');
    }
    const file = join(mkdtempSync(join(tmpdir(), 'outrider-replay-')), 'decision.json.gz');
    writeFileSync(file, records.at(-1) ?? '');
    const cli = fileURLToPath(new URL('../../../cli/main.ts', import.meta.url));
    const run = promisify(execFile);
    // Exits with 1, and so throws, where the decision differs.
    expect(
      JSON.parse((await run(process.execPath, [cli, 'replay', file, '--json'])).stdout),
    ).toEqual(JSON.parse(gunzipSync(records.at(-1) ?? '').toString()).decision);
    const [latest] = await journal().list('demo', 1);
    const record = await journal().read(latest?.id ?? '');
    const { stdout } = await run(process.execPath, [cli, 'replay', latest?.id ?? '', '--json'], {
      env: {
        ...outrider.testbed.emulator.env,
        OUTRIDER_TABLE: outrider.table,
        OUTRIDER_DECISIONS_BUCKET: outrider.bucket,
      },
    });
    expect(JSON.parse(stdout)).toEqual(record.decision);
  });

  it('made every raise under the function’s own role', async () => {
    const raises = await outrider.testbed.emulator.control.calls({ action: 'SetDesiredCapacity' });
    expect(raises.length).toBeGreaterThan(22);
    for (const { principal } of raises) expect(principal).toMatch(/:(assumed-)?role\/Outrider/);
    expect(raises.filter(({ status }) => status !== 200)).toEqual([]);
  });

  it('is refused by AWS what its role does not name', async () => {
    const sts = new STSClient(config);
    const lambda = new LambdaClient(config);
    const { Role } = await lambda.send(
      new GetFunctionConfigurationCommand({ FunctionName: outrider.functionName }),
    );
    const { Credentials } = await sts.send(
      new AssumeRoleCommand({ RoleArn: Role, RoleSessionName: 'outside' }),
    );
    const asFunction = {
      ...config,
      credentials: {
        accessKeyId: Credentials?.AccessKeyId ?? '',
        secretAccessKey: Credentials?.SecretAccessKey ?? '',
        sessionToken: Credentials?.SessionToken ?? '',
      },
    };
    const [instance] =
      (await outrider.testbed.emulator.control.groups()).find(({ name }) => name === 'warm')
        ?.instances ?? [];
    const autoScaling = new AutoScalingClient(asFunction);
    const raise = (group: string) =>
      autoScaling.send(
        new SetDesiredCapacityCommand({ AutoScalingGroupName: group, DesiredCapacity: 1 }),
      );
    await expect(
      autoScaling.send(
        new TerminateInstanceInAutoScalingGroupCommand({
          InstanceId: instance?.id,
          ShouldDecrementDesiredCapacity: true,
        }),
      ),
    ).rejects.toThrow(/AccessDenied|not authorized/i);
    // Of a cluster that is only observed: no grant to raise its groups.
    await expect(raise('watched-a')).rejects.toThrow(/AccessDenied|not authorized/i);
    // The same credentials may do what the function does.
    await expect(raise('warm')).resolves.toBeDefined();
    for (const client of [sts, lambda, autoScaling]) client.destroy();
  });

  it('is refused by the cluster what the shipped RBAC does not name', async () => {
    const { controlPlane } = outrider.testbed;
    const as = async (account: string) =>
      controlPlane.clientFor(await controlPlane.serviceAccountToken('outrider', account));
    const read = await as('outrider-read');
    const pod = '/api/v1/namespaces/default/pods/one-1';
    const forbidden = { status: 403, reason: 'Forbidden' };
    await expect(read.get('/api/v1/pods')).resolves.toBeDefined();
    await expect(read.remove(pod)).rejects.toMatchObject(forbidden);
    await expect(read.get('/api/v1/secrets')).rejects.toMatchObject(forbidden);
    await expect(read.patch('/api/v1/nodes/any', 'merge', {})).rejects.toMatchObject(forbidden);
    const relayClient = await as('outrider-relay');
    await expect(relayClient.get('/api/v1/pods')).resolves.toBeDefined();
    await expect(relayClient.get('/api/v1/nodes')).resolves.toBeDefined();
    await expect(relayClient.get('/api/v1/secrets')).rejects.toMatchObject(forbidden);
    await expect(relayClient.remove(pod)).rejects.toMatchObject(forbidden);
  });

  it('has a fleet and a dead letter queue without surprises', async () => {
    expect(outrider.testbed.fleetProblems).toEqual([]);
    const { Attributes = {} } = await sqs.send(
      new GetQueueAttributesCommand({
        QueueUrl: outrider.deadLetterQueueUrl,
        AttributeNames: ['All'],
      }),
    );
    // The one letter of the test above, received and not deleted.
    expect(
      Number(Attributes.ApproximateNumberOfMessages) +
        Number(Attributes.ApproximateNumberOfMessagesNotVisible),
    ).toBe(1);
  });
});
