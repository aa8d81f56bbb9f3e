import { compareText } from '#cluster/order.ts';
import { amountIn, maxResources, type Resources } from '#cluster/resources.ts';
import { type PodView, podKey } from '#cluster/snapshot.ts';
import type { SchedulablePod } from '#scheduling/node.ts';
import { schedulingKey } from '#scheduling/scheduling-key.ts';
import type { GroupState } from './group-state.ts';
import { type Ask, askOf } from './room.ts';

/** Pods of one priority that no filter tells apart. All planning is work per class. */
export interface PodClass {
  readonly key: string;
  readonly priority: number;
  /** Any one of them. */
  readonly sample: SchedulablePod;
  readonly ask: Ask;
  /** Its place in the order of planning, from 0. */
  readonly rank: number;
  /** Oldest first. */
  readonly pods: readonly PodView[];
}

/**
 * Classes in the order of planning: priority falling (as the scheduler binds), then those that fewer
 * groups can take, then the larger share of the largest new node, then by key. The order depends on
 * nothing that a decision changes, so that the next look fills the same nodes alike.
 */
export const podClassesOf = (
  pods: readonly PodView[],
  groups: readonly GroupState[],
): readonly PodClass[] => {
  const byKey = new Map<string, PodView[]>();
  for (const pod of pods) {
    const key = `${pod.priority ?? 0} ${schedulingKey(pod)}`;
    const others = byKey.get(key);
    if (others === undefined) byKey.set(key, [pod]);
    else others.push(pod);
  }
  const reference = groups.map((group) => group.capacity).reduce(maxResources, {});
  return [...byKey]
    .map(([key, [first, ...others]]) => toClass(key, first, others))
    .filter((entry) => entry !== undefined)
    .map((podClass) => ({
      podClass,
      choices: groups.filter((group) => group.takesWhenEmpty(podClass.sample)).length,
      size: shareOf(podClass.sample.requests, reference),
    }))
    .sort(
      (a, b) =>
        b.podClass.priority - a.podClass.priority ||
        a.choices - b.choices ||
        Number(b.size > a.size) - Number(a.size > b.size) ||
        compareText(a.podClass.key, b.podClass.key),
    )
    .map(({ podClass }, rank) => ({ ...podClass, rank }));
};

const toClass = (
  key: string,
  sample: PodView | undefined,
  others: readonly PodView[],
): Omit<PodClass, 'rank'> | undefined =>
  sample && {
    key,
    priority: sample.priority ?? 0,
    sample,
    ask: askOf(sample),
    pods: [sample, ...others].sort(
      (a, b) =>
        (a.createdAtMs ?? Infinity) - (b.createdAtMs ?? Infinity) ||
        compareText(podKey(a), podKey(b)),
    ),
  };

/** The largest part of the reference that a request takes, in 2^-40ths. */
const shareOf = (requests: Resources, reference: Resources): bigint => {
  let largest = 0n;
  for (const name of Object.keys(requests)) {
    const whole = amountIn(reference, name);
    if (whole <= 0) continue;
    const share = (BigInt(amountIn(requests, name)) << 40n) / BigInt(whole);
    if (share > largest) largest = share;
  }
  return largest;
};
