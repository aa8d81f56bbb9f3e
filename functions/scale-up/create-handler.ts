import { type AskedLook, type Finding, looksFor } from '#operations/asked-looks.ts';
import type { ScaleUpService } from '#wiring/scale-up.ts';
import type { Logger } from '../lib/logger.ts';
import { batchResponse, type Fate } from '../lib/partial-batch.ts';
import { queueFunction } from '../lib/queue-function.ts';
import { within } from '../lib/within.ts';
import { lookAt } from './look-at.ts';
import { type ReadRecord, readQueueMessage } from './read-queue-message.ts';
import { settleMessage } from './settle-message.ts';

/** So long before the end no message is settled any more, so that the answer still comes from here. */
const answerReserveMs = 1_000;

/**
 * Hints, sweeps and wake-ups from the queue: one look at each cluster that they name, then each message's own
 * fate. Whatever hangs (a cluster, a queue) costs its own messages, which go back, and no others.
 *
 * @param service asked for once per batch, so that a failed start is tried again with the next one.
 */
export const createHandler = (service: () => Promise<ScaleUpService>, logger?: Logger) =>
  queueFunction(async (records, invocation) => {
    const scaleUp = await service();
    const messages = records.map((record) => ({ record, message: readQueueMessage(record) }));
    const findings = new Map<string, Finding>();
    const fates = new Map<string, Fate>();
    const settle = async (read: ReadRecord): Promise<void> => {
      const settling = settleMessage({ ...read, findings }, scaleUp, invocation);
      const leftMs = invocation.remainingMs() - answerReserveMs;
      fates.set(read.record.messageId, await within(settling, leftMs, 'return'));
    };

    // Sent off before any look: the sender of a broken message must not depend on a cluster's health.
    const others = messages.filter((read) => !asksForLook(read)).map(settle);
    const asking = messages.filter(asksForLook);
    // Side by side: a batch is no larger than what one process may hold snapshots of.
    const looks = looksFor(asking.map(({ message }) => message)).map(async (look) => {
      findings.set(look.cluster, await lookAt(scaleUp, look, invocation));
    });
    await Promise.all(looks);
    await Promise.all([...others, ...asking.map(settle)]);
    return batchResponse(records, fates);
  }, logger);

const asksForLook = (read: ReadRecord): read is ReadRecord<AskedLook> =>
  read.message.kind === 'hint' || read.message.kind === 'look';
