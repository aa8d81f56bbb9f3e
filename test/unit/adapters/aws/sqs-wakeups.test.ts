import type { SendMessageBatchRequestEntry, SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { sqsWakeups } from '#adapters/aws/sqs-wakeups.ts';
import type { Wakeup } from '#ports/wakeups.ts';
import { clientOf, refuse } from '../../../helpers/fake-aws-client.ts';

const wakeupsOf = (count: number): readonly Wakeup[] =>
  Array.from({ length: count }, (_, index) => ({
    cluster: `c${index}`,
    afterSeconds: index,
    because: 'sweep',
    step: 1,
  }));

/** Takes what `fails` lets through: by message body and how often it came. */
const queue = (fails: (body: string, time: number) => object | undefined = () => undefined) => {
  const times = new Map<string, number>();
  const taken: SendMessageBatchRequestEntry[] = [];
  const { client, inputs } = clientOf((input) => {
    const entries = input.Entries as SendMessageBatchRequestEntry[];
    if (entries.length > 10) refuse('AWS.SimpleQueueService.TooManyEntriesInBatchRequest');
    const Failed = entries.flatMap((entry) => {
      const body = entry.MessageBody ?? '';
      times.set(body, (times.get(body) ?? 0) + 1);
      const failure = fails(body, times.get(body) ?? 0);
      if (failure === undefined) taken.push(entry);
      return failure === undefined ? [] : [{ Id: entry.Id, ...failure }];
    });
    return { Failed };
  });
  const wakeups = sqsWakeups(client as unknown as SQSClient, 'queue', ({ cluster }) => cluster);
  return { wakeups, taken, inputs };
};

const busy = { Code: 'ServiceUnavailable', Message: 'later', SenderFault: false };

describe('wake-ups on SQS', () => {
  it('go by ten, each with its own delay', async () => {
    const { wakeups, taken, inputs } = queue();
    await wakeups.send(wakeupsOf(23));
    expect(inputs.map(({ Entries }) => (Entries as unknown[]).length)).toEqual([10, 10, 3]);
    expect(taken.map(({ MessageBody, DelaySeconds }) => [MessageBody, DelaySeconds])).toEqual(
      wakeupsOf(23).map(({ cluster, afterSeconds }) => [cluster, afterSeconds]),
    );
  });

  it('cost no call where there are none', async () => {
    const { wakeups, inputs } = queue();
    await wakeups.send([]);
    expect(inputs).toEqual([]);
  });

  it('are delayed by whole seconds that SQS knows', async () => {
    const { wakeups, taken } = queue();
    const [one] = wakeupsOf(1);
    if (one === undefined) throw new Error('no wake-up');
    const delays = [-1, 0.2, 900, 901];
    await wakeups.send(delays.map((afterSeconds) => ({ ...one, afterSeconds })));
    expect(taken.map(({ DelaySeconds }) => DelaySeconds)).toEqual([0, 1, 900, 900]);
  });

  it('that were not taken are sent once more, alone', async () => {
    const { wakeups, taken, inputs } = queue((body, time) =>
      ['c3', 'c15'].includes(body) && time === 1 ? busy : undefined,
    );
    await wakeups.send(wakeupsOf(20));
    expect(taken).toHaveLength(20);
    expect(inputs.map(({ Entries }) => (Entries as unknown[]).length)).toEqual([10, 10, 2]);
  });

  it('that are refused again are an error, and the others were sent', async () => {
    const { wakeups, taken } = queue((body) => (body === 'c3' ? busy : undefined));
    await expect(wakeups.send(wakeupsOf(20))).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^1 of 20 wake-ups .*ServiceUnavailable: later/),
    });
    expect(taken).toHaveLength(19);
  });

  it('that nobody will ever take are a permanent error', async () => {
    const Failed = { Code: 'InvalidMessageContents', Message: 'no', SenderFault: true };
    const { wakeups } = queue(() => Failed);
    await expect(wakeups.send(wakeupsOf(1))).rejects.toMatchObject({
      code: 'invalid',
      retryable: false,
    });
  });

  it('of one batch that fails do not keep the other batches back', async () => {
    const { wakeups, taken } = queue((body) =>
      body === 'c0' ? refuse('QueueDoesNotExist', 400) : undefined,
    );
    await expect(wakeups.send(wakeupsOf(30))).rejects.toMatchObject({ code: 'notFound' });
    const sent = taken.map(({ MessageBody }) => MessageBody);
    expect(sent).toEqual(expect.arrayContaining(['c10', 'c19', 'c20', 'c29']));
  });
});
