import {
  type ClusterLook,
  type Finding,
  findingOf,
  unknownCluster,
} from '#operations/asked-looks.ts';
import type { ScaleUpService } from '#wiring/scale-up.ts';
import { describeError } from '../lib/errors.ts';
import type { Invocation } from '../lib/queue-function.ts';
import { within } from '../lib/within.ts';

/**
 * What one look at a large cluster may take; with less time left none is begun. A look that is cut off is
 * finished by the next one, but its lease stands in the way until it runs out.
 */
const lookReserveMs = 10_000;

/** So long before the end no look is waited for: the messages of the other clusters are settled then. */
const settleReserveMs = 3_000;

/**
 * Takes one look at one cluster. Never throws and never outlasts the invocation: another cluster's trouble is
 * not this one's. A look that came to no end of its own is counted here, every other one counts itself.
 */
export const lookAt = async (
  service: Pick<ScaleUpService, 'scaleUp' | 'lookFailed'>,
  { cluster, look }: ClusterLook,
  { log, remainingMs }: Invocation,
): Promise<Finding> => {
  const { trigger } = look;
  if (remainingMs() < lookReserveMs) {
    log.warn('no time left for this cluster', { cluster, trigger });
    return { status: 'notBegun' };
  }
  try {
    const looking = service.scaleUp(cluster, {
      ...look,
      untilMs: Date.now() + remainingMs() - lookReserveMs,
    });
    const outcome = await within(looking, remainingMs() - settleReserveMs, undefined);
    if (outcome === undefined) {
      service.lookFailed(cluster);
      log.error('the look at a cluster is not done in time', { cluster, trigger });
      return { status: 'retry' };
    }
    if (outcome.status === 'failed') {
      log.error('the look at a cluster failed', { trigger, ...outcome });
    } else log.info('looked at a cluster', { trigger, ...outcome });
    return outcome.status === 'unknownCluster' ? unknownCluster(cluster) : findingOf(outcome);
  } catch (thrown) {
    const error = describeError(thrown);
    service.lookFailed(cluster);
    log.error('the look at a cluster failed', { cluster, trigger, error });
    return findingOf({ cluster, status: 'failed', error });
  }
};
