import type { LookOutcome, ScaleUpService } from '#wiring/scale-up.ts';
import { describeError } from '../lib/errors.ts';
import type { Invocation } from '../lib/queue-function.ts';
import type { Look, ReadRecord } from './group-by-cluster.ts';

/** What a message is told about one of its clusters. */
export type Finding =
  | { readonly status: 'done' | 'held' | 'retry' }
  | { readonly status: 'permanent'; readonly code: string; readonly message: string };

/**
 * What one look at a large cluster may take; with less time left none is begun. A look that is cut off is
 * finished by the next one, but its lease stands in the way until it runs out.
 */
const lookReserveMs = 10_000;

/**
 * The clusters that a sweep among the messages stands for; empty without one, `undefined` where they are
 * not known now: then the sweep goes back, and hints are followed all the same.
 */
export const clustersToSweep = async (
  service: Pick<ScaleUpService, 'clusters'>,
  messages: readonly ReadRecord[],
  { log }: Invocation,
): Promise<readonly string[] | undefined> => {
  if (!messages.some(({ message }) => message.kind === 'sweep')) return [];
  try {
    return await service.clusters();
  } catch (thrown) {
    log.error('the clusters to sweep are not known', { error: describeError(thrown) });
    return undefined;
  }
};

/** Takes one look at one cluster and never throws: another cluster's trouble is not this one's. */
export const lookAt = async (
  service: Pick<ScaleUpService, 'scaleUp'>,
  { cluster, trigger }: Look,
  { log, remainingMs }: Invocation,
): Promise<Finding> => {
  if (remainingMs() < lookReserveMs) {
    log.warn('no time left for this cluster', { cluster, trigger });
    return { status: 'retry' };
  }
  try {
    const outcome = await service.scaleUp(cluster, trigger);
    log.info('looked at a cluster', { trigger, ...outcome });
    return findingOf(outcome);
  } catch (thrown) {
    const error = describeError(thrown);
    log.error('the look at a cluster failed', { cluster, trigger, error });
    return error.retryable ? { status: 'retry' } : permanent(cluster, error);
  }
};

const findingOf = (outcome: LookOutcome): Finding => {
  const { cluster } = outcome;
  switch (outcome.status) {
    case 'done':
    case 'held':
      return { status: outcome.status };
    case 'failed':
      // Without a reason nobody knows that it is permanent.
      if (outcome.error === undefined || outcome.error.retryable) return { status: 'retry' };
      return permanent(cluster, outcome.error);
    case 'unknownCluster':
      return {
        status: 'permanent',
        code: 'unknownCluster',
        message: `detail.cluster: ${cluster} is not a cluster of this network; add it to outrider.yaml and deploy, or stop its relay`,
      };
  }
};

const permanent = (
  cluster: string,
  { code, message }: { readonly code: string; readonly message: string },
): Finding => ({ status: 'permanent', code, message: `${cluster}: ${message}` });
