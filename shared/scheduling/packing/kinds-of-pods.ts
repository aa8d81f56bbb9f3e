import type { SchedulingState, StatePod } from '../state/scheduling-state.ts';

/** Pods that no filter tells apart, in the order in which the first of each came. */
export interface PodsOfKind<Pod extends StatePod> {
  /** The first of them stands for all. */
  readonly pod: Pod;
  readonly count: number;
  readonly pods: readonly Pod[];
}

/** Sorts pods into kinds, so that a plan is made for so many of each, whatever their number. */
export function kindsOfPods<Pod extends StatePod>(
  pods: readonly Pod[],
  state: SchedulingState,
): readonly PodsOfKind<Pod>[] {
  state.learn(pods);
  const kinds = new Map<number, Pod[]>();
  for (const pod of pods) {
    const { id } = state.questionOf(pod);
    const alike = kinds.get(id);
    if (alike === undefined) kinds.set(id, [pod]);
    else alike.push(pod);
  }
  return [...kinds.values()].map((alike) => ({
    pod: alike[0] as Pod,
    count: alike.length,
    pods: alike,
  }));
}
