import type { ScaleUpService } from '#wiring/scale-up.ts';
import { forEachLimited } from '../lib/for-each-limited.ts';
import type { Logger } from '../lib/logger.ts';
import { batchResponse, type Fate } from '../lib/partial-batch.ts';
import { queueFunction } from '../lib/queue-function.ts';
import { groupByCluster } from './group-by-cluster.ts';
import { clustersToSweep, type Finding, lookAt } from './look-at.ts';
import { readMessage } from './read-message.ts';
import { settleMessage } from './settle-message.ts';

/** Clusters looked at side by side: each holds its own snapshot in memory. */
const clustersAtOnce = 4;

/**
 * Hints and sweeps from the queue: one look at each cluster that they name, then each message's own fate.
 *
 * @param service asked for once per batch, so that a failed start is tried again with the next one.
 */
export const createHandler = (service: () => Promise<ScaleUpService>, logger?: Logger) =>
  queueFunction(async (records, invocation) => {
    const scaleUp = await service();
    const messages = records.map((record) => ({ record, message: readMessage(record) }));
    const clusters = await clustersToSweep(scaleUp, messages, invocation);
    const findings = new Map<string, Finding>();
    await forEachLimited(groupByCluster(messages, clusters ?? []), clustersAtOnce, async (look) => {
      findings.set(look.cluster, await lookAt(scaleUp, look, invocation));
    });
    const fates = new Map<string, Fate>();
    await forEachLimited(messages, messages.length, async ({ record, message }) => {
      const settled = { record, message, clusters, findings };
      fates.set(record.messageId, await settleMessage(settled, scaleUp, invocation));
    });
    return batchResponse(records, fates);
  }, logger);
