import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';

/** What becomes of one message: `ack` deletes it, `return` gives it back to the queue. */
export type Fate = 'ack' | 'return';

/** The answer that gives every message of the batch back: what any doubt ends in. */
export const returnAll = (records: readonly SQSRecord[]): SQSBatchResponse => ({
  batchItemFailures: records.map(({ messageId }) => ({ itemIdentifier: messageId })),
});

/**
 * The answer for a batch. A message is deleted only if its fate is known to be `ack`; one that was
 * forgotten goes back. (An empty failure list means "delete all" to the queue, so it must never come
 * from a failure.)
 */
export const batchResponse = (
  records: readonly SQSRecord[],
  fates: ReadonlyMap<string, Fate>,
): SQSBatchResponse => returnAll(records.filter(({ messageId }) => fates.get(messageId) !== 'ack'));

/** How often a message has come, this time included. */
export const receiveCount = ({ attributes }: SQSRecord): number =>
  Math.max(1, Number(attributes.ApproximateReceiveCount) || 1);

/**
 * Seconds until a returned message is seen again: 2, 4, 8, 16, then 30, by how often it came, and of that
 * the upper half at random, so that hints which met a held lease do not come back together.
 *
 * @param random from 0 (included) to 1 (excluded).
 */
export const returnDelaySeconds = (record: SQSRecord, random: number): number => {
  const most = Math.min(30, 2 ** Math.min(receiveCount(record), 5));
  return Math.ceil(most / 2 + (most / 2) * random);
};
