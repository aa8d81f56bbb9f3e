import type { ScaleUpService } from '#wiring/scale-up.ts';
import { forEachLimited } from '../lib/for-each-limited.ts';
import type { Logger } from '../lib/logger.ts';
import { batchResponse, type Fate } from '../lib/partial-batch.ts';
import { queueFunction } from '../lib/queue-function.ts';
import { within } from '../lib/within.ts';
import { groupByCluster, type ReadRecord } from './group-by-cluster.ts';
import { clustersToSweep, type Finding, lookAt } from './look-at.ts';
import { readMessage } from './read-message.ts';
import { settleMessage } from './settle-message.ts';

/** Clusters looked at side by side: each holds its own snapshot in memory. */
const clustersAtOnce = 4;

/** So long before the end no message is settled any more, so that the answer still comes from here. */
const answerReserveMs = 1_000;

/**
 * Hints and sweeps from the queue: one look at each cluster that they name, then each message's own fate.
 * Whatever hangs (a cluster, a queue) costs its own messages, which go back, and no others.
 *
 * @param service asked for once per batch, so that a failed start is tried again with the next one.
 */
export const createHandler = (service: () => Promise<ScaleUpService>, logger?: Logger) =>
  queueFunction(async (records, invocation) => {
    const scaleUp = await service();
    const messages = records.map((record) => ({ record, message: readMessage(record) }));
    const findings = new Map<string, Finding>();
    const fates = new Map<string, Fate>();
    const settle = (reads: readonly ReadRecord[], clusters?: readonly string[]) =>
      forEachLimited(reads, reads.length, async (read) => {
        const settling = settleMessage({ ...read, clusters, findings }, scaleUp, invocation);
        const leftMs = invocation.remainingMs() - answerReserveMs;
        fates.set(read.record.messageId, await within(settling, leftMs, 'return'));
      });

    // Sent off before any look: the sender of a broken message must not depend on a cluster's health.
    const burials = settle(messages.filter(isMalformed));
    const clusters = await clustersToSweep(scaleUp, messages, invocation);
    await forEachLimited(groupByCluster(messages, clusters ?? []), clustersAtOnce, async (look) => {
      findings.set(look.cluster, await lookAt(scaleUp, look, invocation));
    });
    const rest = messages.filter((read) => !isMalformed(read));
    await Promise.all([burials, settle(rest, clusters)]);
    return batchResponse(records, fates);
  }, logger);

const isMalformed = ({ message }: ReadRecord): boolean => message.kind === 'malformed';
