import type { SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { sqsDeadLetterQueue } from '#adapters/aws/sqs-dead-letter-queue.ts';
import { clientOf, refuse } from '../../../helpers/fake-aws-client.ts';

/** Two letters in the queue of dead letters; `breaking` names the call that fails. */
const queueOf = (breaking?: string) => {
  let received = false;
  const { client, commands, inputs } = clientOf((_, command) => {
    if (command === breaking) refuse('InternalError', 500);
    if (command !== 'ReceiveMessageCommand' || received) return {};
    received = true;
    return {
      Messages: ['a', 'b'].map((id) => ({
        MessageId: id,
        ReceiptHandle: `receipt-${id}`,
        Body: `body-${id}`,
      })),
    };
  });
  const urls = { deadLetters: 'https://dead', source: 'https://source' };
  const queue = sqsDeadLetterQueue(client as unknown as SQSClient, urls);
  const given = (command: string) => inputs.filter((_, index) => commands[index] === command);
  return { queue, commands, given };
};

const all = { wanted: () => true, limit: 10 };

describe('a dead letter that is sent back', () => {
  it('is sent first and deleted then, so that it is never lost', async () => {
    const { queue, commands, given } = queueOf();
    await queue.retry(all);
    expect(commands.slice(0, 5)).toEqual([
      'ReceiveMessageCommand',
      'SendMessageCommand',
      'DeleteMessageCommand',
      'SendMessageCommand',
      'DeleteMessageCommand',
    ]);
    expect(given('SendMessageCommand')).toEqual([
      { QueueUrl: 'https://source', MessageBody: 'body-a' },
      { QueueUrl: 'https://source', MessageBody: 'body-b' },
    ]);
  });

  it.each(['SendMessageCommand', 'DeleteMessageCommand'])(
    'stays, and is visible again at once, where %s fails; so do those taken with it',
    async (breaking) => {
      const { queue, given } = queueOf(breaking);
      await expect(queue.retry(all)).rejects.toMatchObject({ code: 'unavailable' });
      const deleted = given('DeleteMessageCommand').length;
      expect(deleted).toBe(breaking === 'DeleteMessageCommand' ? 1 : 0);
      const [back] = given('ChangeMessageVisibilityBatchCommand');
      expect(back?.Entries).toMatchObject([
        { ReceiptHandle: 'receipt-a', VisibilityTimeout: 0 },
        { ReceiptHandle: 'receipt-b', VisibilityTimeout: 0 },
      ]);
    },
  );

  it('that cannot be given back becomes visible by itself: no reason to fail', async () => {
    const { queue } = queueOf('ChangeMessageVisibilityBatchCommand');
    expect(await queue.list(10)).toHaveLength(2);
  });

  it('asks three times before it takes the queue for empty: a short poll asks some servers only', async () => {
    const { queue, given } = queueOf();
    await queue.list(10);
    expect(given('ReceiveMessageCommand')).toHaveLength(4);
  });
});

/** Receives these pages one after another, then nothing; every receipt is a new one. */
const pagesOf = (...pages: readonly (readonly string[])[]) => {
  let receives = 0;
  const { client, commands, inputs } = clientOf((_, command) => {
    if (command !== 'ReceiveMessageCommand') return {};
    const page = pages[receives] ?? [];
    receives += 1;
    return {
      Messages: page.map((id) => ({
        MessageId: id,
        ReceiptHandle: `${id}-${receives}`,
        Body: `body-${id}`,
      })),
    };
  });
  const urls = { deadLetters: 'https://dead', source: 'https://source' };
  const queue = sqsDeadLetterQueue(client as unknown as SQSClient, urls);
  const givenBack = () =>
    inputs
      .filter((_, index) => commands[index] === 'ChangeMessageVisibilityBatchCommand')
      .flatMap(({ Entries }) => Entries as readonly { readonly ReceiptHandle: string }[])
      .map(({ ReceiptHandle }) => ReceiptHandle)
      .toSorted();
  return { queue, givenBack, receives: () => receives };
};

describe('a letter that comes again while the others are looked at', () => {
  it('hides none of those that came with it, nor those behind it', async () => {
    const { queue, givenBack } = pagesOf(['a', 'b'], ['a', 'c'], ['d']);
    const { retried, left } = await queue.retry({
      wanted: ({ id }) => id === 'c' || id === 'd',
      limit: 10,
    });
    expect(retried.map(({ id }) => id)).toEqual(['c', 'd']);
    expect(left).toBe(2);
    // By the newest receipt: the earlier one counts no more.
    expect(givenBack()).toEqual(['a-2', 'b-1']);
  });

  it('is listed once, and given back with all others', async () => {
    const { queue, givenBack } = pagesOf(['a', 'b'], ['a', 'c'], ['d']);
    const letters = await queue.list(10);
    expect(letters.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
    expect(givenBack()).toEqual(['a-2', 'b-1', 'c-2', 'd-3']);
  });

  it('is sent back once only', async () => {
    const { queue } = pagesOf(['a'], ['a', 'b']);
    const { retried } = await queue.retry(all);
    expect(retried.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('does not keep the search going where nothing new comes', async () => {
    const { queue, receives } = pagesOf(['a'], ...Array.from({ length: 50 }, () => ['a']));
    await queue.list(10);
    expect(receives()).toBe(4);
  });
});
