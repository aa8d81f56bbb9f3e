import { compareText } from '#cluster/order.ts';
import { addResources, amountIn, noResources, type Resources } from '#cluster/resources.ts';
import { podKey } from '#cluster/snapshot.ts';
import type { SchedulablePod } from './node.ts';
import { schedulingKey } from './scheduling-key.ts';

/** What the order looks at, beside the constraints. */
export interface OrderablePod extends SchedulablePod {
  readonly namespace: string;
  readonly name: string;
  readonly priority?: number;
  readonly createdAtMs?: number;
}

const shareScale = 2n ** 40n;

/** The largest part of the reference that one of the requests takes, in 2^-40ths, rounded down. */
function dominantShare(requests: Resources, reference: Resources): bigint {
  let largest = 0n;
  for (const resource of Object.keys(requests)) {
    const whole = amountIn(reference, resource);
    if (whole <= 0) continue;
    const share = (BigInt(amountIn(requests, resource)) * shareScale) / BigInt(whole);
    if (share > largest) largest = share;
  }
  return largest;
}

const totalRequests = (pods: readonly SchedulablePod[]): Resources =>
  pods.reduce<Resources>((sum, pod) => addResources(sum, pod.requests), noResources);

/**
 * The order in which pods are planned: priority falling (none counts as 0), dominant share of the
 * reference falling, oldest first (no time last), then `namespace/name`. It depends on nothing else:
 * any shuffle of the same pods gives the same order. The reference is what shares are taken of, by
 * default everything that these pods request together.
 */
export function orderPods<Pod extends OrderablePod>(
  pods: readonly Pod[],
  reference: Resources = totalRequests(pods),
): readonly Pod[] {
  const shares = new Map<string, bigint>();
  const shareOf = (pod: Pod): bigint => {
    const key = schedulingKey(pod);
    let share = shares.get(key);
    if (share === undefined) {
      share = dominantShare(pod.requests, reference);
      shares.set(key, share);
    }
    return share;
  };
  return pods
    .map((pod) => ({ pod, share: shareOf(pod), key: podKey(pod) }))
    .sort(
      (a, b) =>
        (b.pod.priority ?? 0) - (a.pod.priority ?? 0) ||
        Number(b.share - a.share) ||
        compareTimes(a.pod.createdAtMs, b.pod.createdAtMs) ||
        compareText(a.key, b.key),
    )
    .map(({ pod }) => pod);
}

function compareTimes(a: number | undefined, b: number | undefined): number {
  if (a === b) return 0;
  if (a === undefined) return 1;
  return b === undefined ? -1 : a - b;
}
