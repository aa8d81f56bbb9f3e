import type { SQSRecord } from 'aws-lambda';
import { digestOf } from '#operations/digest.ts';
import type { Message } from './read-message.ts';

export interface ReadRecord {
  readonly record: SQSRecord;
  readonly message: Message;
}

export interface Look {
  readonly cluster: string;
  /** Why it is taken, for the journal. */
  readonly trigger: 'pod-pending' | 'sweep';
}

/**
 * One look per cluster, however many messages name it: those with a hint first, then what a sweep adds.
 *
 * A sweep begins at another cluster each time: where a network holds more clusters than one invocation
 * can look at, every one of them gets its turn.
 *
 * @param swept the network's clusters if there is a sweep among the messages, else empty.
 */
export const groupByCluster = (
  messages: readonly ReadRecord[],
  swept: readonly string[],
): readonly Look[] => {
  const looks = new Map<string, Look>();
  for (const { message } of messages) {
    if (message.kind !== 'pod-pending') continue;
    looks.set(message.cluster, { cluster: message.cluster, trigger: 'pod-pending' });
  }
  const sweep = messages.find(({ message }) => message.kind === 'sweep');
  const first = sweep === undefined ? 0 : startOf(sweep.record, swept.length);
  for (const cluster of [...swept.slice(first), ...swept.slice(0, first)]) {
    if (!looks.has(cluster)) looks.set(cluster, { cluster, trigger: 'sweep' });
  }
  return [...looks.values()];
};

const startOf = (record: SQSRecord, count: number): number => {
  const seed = `${record.messageId} ${record.attributes.ApproximateReceiveCount}`;
  return count === 0 ? 0 : Number.parseInt(digestOf(seed).slice(0, 8), 16) % count;
};
