import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { type DeadLetterQueue, type FiledLetter, hiddenSeconds } from '#ports/dead-letter-queue.ts';
import { calling } from './aws-error.ts';

export interface DeadLetterQueueUrls {
  readonly deadLetters: string;
  /** Where messages go that are tried again. */
  readonly source: string;
}

/** Messages that one call gives or takes at most. */
const perCall = 10;

/** A short poll asks some of the queue's servers only: answers in a row without a new letter that count as the end. */
const emptyAnswers = 3;

interface Taken {
  readonly letter: FiledLetter;
  readonly receipt: string;
}

/** What one call took. */
interface Page {
  readonly fresh: readonly Taken[];
  /** Letters taken before: their time was over, or SQS gave them twice. Their newest receipt is the one that counts. */
  readonly again: readonly Taken[];
}

/** Letters that are to be given back, by id. */
type Held = Map<string, Taken>;

const hold = (held: Held, page: readonly Taken[]): void => {
  for (const one of page) held.set(one.letter.id, one);
};

/**
 * Dead letters of one SQS queue. SQS cannot be read without taking, so a letter is received with a short
 * visibility timeout and given back at once when the reading is over; its receive count grows by one.
 */
export function sqsDeadLetterQueue(client: SQSClient, urls: DeadLetterQueueUrls): DeadLetterQueue {
  const queue = { client, url: urls.deadLetters };

  return {
    async list(limit) {
      const letters: FiledLetter[] = [];
      const held: Held = new Map();
      try {
        for await (const { fresh, again } of takePages(queue, limit)) {
          hold(held, [...fresh, ...again]);
          letters.push(...fresh.map(({ letter }) => letter));
        }
      } finally {
        await giveBack(queue, [...held.values()]);
      }
      return letters;
    },

    async retry({ wanted, limit, enough, onRetried }) {
      const retried: FiledLetter[] = [];
      const held: Held = new Map();
      let left = 0;
      try {
        for await (const { fresh, again } of takePages(queue, limit)) {
          hold(held, [...fresh, ...again]);
          for (const one of fresh) {
            if (enough?.() === true) return { retried, left };
            if (!wanted(one.letter)) {
              left += 1;
              continue;
            }
            await sendBack(queue, urls.source, one);
            held.delete(one.letter.id);
            retried.push(one.letter);
            onRetried?.(one.letter);
          }
        }
      } finally {
        await giveBack(queue, [...held.values()]);
      }
      return { retried, left };
    },

    async count() {
      const command = new GetQueueAttributesCommand({
        QueueUrl: queue.url,
        AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
      });
      const { Attributes = {} } = await calling('GetQueueAttributes', () => client.send(command));
      const inFlight = Number(Attributes.ApproximateNumberOfMessagesNotVisible ?? 0);
      return { total: Number(Attributes.ApproximateNumberOfMessages ?? 0) + inFlight, inFlight };
    },
  };
}

interface QueueOf {
  readonly client: SQSClient;
  readonly url: string;
}

/** In this order: cut off in between, the message is in both queues. */
const sendBack = async ({ client, url }: QueueOf, source: string, one: Taken): Promise<void> => {
  const send = new SendMessageCommand({ QueueUrl: source, MessageBody: one.letter.body });
  await calling('SendMessage (a dead letter tried again)', () => client.send(send));
  const remove = new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: one.receipt });
  await calling('DeleteMessage (a dead letter tried again)', () => client.send(remove));
};

/**
 * Takes letters until `limit` or until nothing new comes. One that comes again stays hidden till the end, or it
 * would come again and again.
 */
async function* takePages(
  { client, url }: QueueOf,
  limit: number,
): AsyncGenerator<Page, void, undefined> {
  const seen = new Set<string>();
  let empty = 0;
  while (seen.size < limit && empty < emptyAnswers) {
    const command = new ReceiveMessageCommand({
      QueueUrl: url,
      MaxNumberOfMessages: Math.min(perCall, limit - seen.size),
      VisibilityTimeout: hiddenSeconds,
      MessageAttributeNames: ['code', 'message'],
      MessageSystemAttributeNames: ['SentTimestamp', 'ApproximateReceiveCount'],
    });
    const answer = await calling('ReceiveMessage (dead letters)', () => client.send(command));
    const { fresh = [], again = [] } = Object.groupBy(
      (answer.Messages ?? []).map(readMessage),
      ({ letter }) => (seen.has(letter.id) ? 'again' : 'fresh'),
    );
    empty = fresh.length === 0 ? empty + 1 : 0;
    for (const { letter } of fresh) seen.add(letter.id);
    yield { fresh, again };
  }
}

const readMessage = (message: Message): Taken => {
  const { MessageId: id = '', ReceiptHandle: receipt = '', Body: body = '' } = message;
  const { Attributes: system = {}, MessageAttributes: own = {} } = message;
  const code = own.code?.StringValue;
  const said = own.message?.StringValue;
  return {
    receipt,
    letter: {
      id,
      body,
      ...(code === undefined ? {} : { code }),
      ...(said === undefined ? {} : { message: said }),
      sentAtMs: Number(system.SentTimestamp ?? 0),
      receives: Number(system.ApproximateReceiveCount ?? 1),
    },
  };
};

/** One that cannot be given back becomes visible by itself. */
const giveBack = async ({ client, url }: QueueOf, taken: readonly Taken[]): Promise<void> => {
  for (let from = 0; from < taken.length; from += perCall) {
    const command = new ChangeMessageVisibilityBatchCommand({
      QueueUrl: url,
      Entries: taken.slice(from, from + perCall).map(({ receipt }, index) => ({
        Id: String(index),
        ReceiptHandle: receipt,
        VisibilityTimeout: 0,
      })),
    });
    try {
      await client.send(command);
    } catch {
      return;
    }
  }
};
