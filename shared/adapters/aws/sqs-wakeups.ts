import {
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { inParallel } from '#cluster/in-parallel.ts';
import { PortError } from '#ports/port-error.ts';
import type { Wakeup, Wakeups } from '#ports/wakeups.ts';
import { calling, toPortError } from './aws-error.ts';

/** The most messages that one SendMessageBatch call takes. */
const messagesPerCall = 10;
const callsAtOnce = 5;
/** The longest delay that SQS knows. */
const mostSeconds = 900;

/** Wake-ups as delayed messages of a network's queue; `toBody` writes what its function reads. */
export function sqsWakeups(
  client: SQSClient,
  queueUrl: string,
  toBody: (wakeup: Wakeup) => string,
): Wakeups {
  return {
    async send(wakeups) {
      const entries = wakeups.map((wakeup, index) => ({
        Id: String(index),
        MessageBody: toBody(wakeup),
        // Sooner than asked does no harm; a number that SQS refuses would lose it.
        DelaySeconds: Math.min(mostSeconds, Math.max(0, Math.ceil(wakeup.afterSeconds))),
      }));
      const refused = await sendAll(client, queueUrl, entries);
      const lost = await sendAll(
        client,
        queueUrl,
        refused.map(({ entry }) => entry),
      );
      const [first] = lost;
      if (first === undefined) return;
      const { code, message } = first.error;
      throw new PortError(
        code,
        `${lost.length} of ${wakeups.length} wake-ups were not sent: ${message}`,
        { cause: first.error },
      );
    },
  };
}

interface Refused {
  readonly entry: SendMessageBatchRequestEntry;
  readonly error: PortError;
}

/** Sends them by ten; the ones that were not taken, one batch not keeping the others from being sent. */
async function sendAll(
  client: SQSClient,
  queueUrl: string,
  entries: readonly SendMessageBatchRequestEntry[],
): Promise<readonly Refused[]> {
  const batches: SendMessageBatchRequestEntry[][] = [];
  for (let from = 0; from < entries.length; from += messagesPerCall) {
    batches.push(entries.slice(from, from + messagesPerCall));
  }
  const refused = await inParallel(batches, callsAtOnce, (batch) =>
    sendBatch(client, queueUrl, batch),
  );
  return refused.flat();
}

async function sendBatch(
  client: SQSClient,
  queueUrl: string,
  batch: readonly SendMessageBatchRequestEntry[],
): Promise<readonly Refused[]> {
  const call = 'SendMessageBatch (wake-ups)';
  const command = new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: [...batch] });
  try {
    const { Failed = [] } = await calling(call, () => client.send(command));
    return Failed.flatMap(({ Id, Code, Message, SenderFault }) => {
      const entry = batch.find((each) => each.Id === Id);
      if (entry === undefined) return [];
      const $metadata = { httpStatusCode: SenderFault ? 400 : 500 };
      return { entry, error: toPortError(call, { name: Code, message: Message, $metadata }) };
    });
  } catch (error) {
    return batch.map((entry) => ({ entry, error: toPortError(call, error) }));
  }
}
