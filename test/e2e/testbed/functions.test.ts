import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AwsEmulator, startAwsEmulator } from '../../testbed/aws-emulator.ts';
import { bootstrap, deployStacks } from '../../testbed/deploy.ts';
import { eventually } from '../../testbed/eventually.ts';
import { withoutTestbed } from '../../testbed/loud-skip.ts';
import { makeNodeGroup } from '../../testbed/node-group.ts';

import type { HintDetail } from './fixture/keep.ts';
import '../../helpers/own-temporary-folder.ts';

const fixtureApp = fileURLToPath(new URL('fixture/app.ts', import.meta.url));

describe.skipIf(await withoutTestbed())('functions on the test bed’s AWS', () => {
  let emulator: AwsEmulator;
  let outputs: Readonly<Record<string, string>>;
  let dynamo: DynamoDBClient;
  let events: EventBridgeClient;
  let sqs: SQSClient;

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'outrider-emulator-'));
    const progress = (): void => undefined;
    // A minute of a schedule in a second.
    emulator = await startAwsEmulator({ folder, progress, scheduleSpeed: 60 });
    dynamo = new DynamoDBClient(emulator.clientConfig);
    events = new EventBridgeClient(emulator.clientConfig);
    sqs = new SQSClient(emulator.clientConfig);
    await bootstrap(emulator, progress);
    const app = `node ${fixtureApp}`;
    outputs = (await deployStacks({ emulator, progress, app })).Fixture ?? {};
  });
  afterAll(async () => {
    for (const client of [dynamo, events, sqs]) client?.destroy();
    await emulator?.stop();
  });

  const send = (detail: HintDetail) =>
    events.send(
      new PutEventsCommand({
        Entries: [
          {
            EventBusName: 'fixture',
            Source: 'fixture',
            DetailType: 'Hint',
            Detail: JSON.stringify(detail),
          },
        ],
      }),
    );
  const kept = (id: string) =>
    eventually(`what the function keeps of ${id}`, async () => {
      const key = { id: { S: id } };
      const command = new GetItemCommand({ TableName: outputs.TableName, Key: key });
      return (await dynamo.send(command)).Item;
    });
  const received = (what: string, url: string | undefined) =>
    eventually(what, async () => {
      const command = new ReceiveMessageCommand({ QueueUrl: url, WaitTimeSeconds: 1 });
      return (await sqs.send(command)).Messages?.[0];
    });

  it('brings an event from a bus through a queue to a function, and tells how soon', async () => {
    const milliseconds: number[] = [];
    for (let index = 0; index < 20; index += 1) {
      const sentMs = Date.now();
      await send({ id: `hint-${index}` });
      const item = await kept(`hint-${index}`);
      milliseconds.push(Number(item.atMs?.N) - sentMs);
    }
    const sorted = milliseconds.slice(1).toSorted((a, b) => a - b);
    process.stderr.write(
      `PutEvents to handler: first ${milliseconds[0]} ms, then p50 ${sorted[Math.floor(sorted.length / 2)]} ms, max ${sorted.at(-1)} ms\n`,
    );
    expect(milliseconds).toHaveLength(20);
  });

  it('holds the function to its own role', async () => {
    await send({ id: 'curious' });
    const item = await kept('curious');
    expect(item.refusal?.S).toBe('AccessDeniedException');
    const principal = outputs.FunctionRole ?? '';
    const scans = await emulator.control.calls({ action: 'Scan', principal });
    expect(scans.length).toBeGreaterThan(0);
    expect(scans.filter(({ status }) => status < 400)).toEqual([]);
  });

  it('grants by the tags of a group', async () => {
    for (const cluster of ['mine', 'other']) {
      await makeNodeGroup(emulator, { name: cluster, cluster, instanceType: 'm5.large', max: 1 });
    }
    await send({ id: 'own', raise: 'mine' });
    await send({ id: 'foreign', raise: 'other' });
    expect((await kept('own')).raised?.S).toBe('done');
    expect((await kept('foreign')).raised?.S).toBe('AccessDenied');
    const groups = await emulator.control.groups();
    expect(groups.map(({ name, instances }) => [name, instances.length])).toEqual([
      ['mine', 1],
      ['other', 0],
    ]);
  });

  it('takes only the failed message of a batch to the dead letters', async () => {
    await Promise.all([send({ id: 'bad', fail: true }), send({ id: 'good' })]);
    await kept('good');
    const letter = await received('the dead letter', outputs.DeadLettersUrl);
    expect(JSON.parse(letter.Body ?? '')).toMatchObject({ detail: { id: 'bad' } });
  });

  it('sends the constant message of a schedule', async () => {
    const tick = await received('a tick of the schedule', outputs.TicksUrl);
    expect(JSON.parse(tick.Body ?? '')).toEqual({ tick: true });
  });
});
