import { compareText } from '#cluster/order.ts';
import { amountIn, maxResources, type Resources } from '#cluster/resources.ts';
import { type PodView, podKey } from '#cluster/snapshot.ts';
import type { FitQuestion, SchedulingState } from '#scheduling/state/scheduling-state.ts';
import type { GroupState } from '../group-state.ts';

/** Pods of one priority that no filter tells apart. All planning is work per class. */
export interface PodClass {
  readonly priority: number;
  /** The first of them. */
  readonly sample: PodView;
  readonly question: FitQuestion;
  /** Where a node that refuses one may take it later: what it asks for is other pods' places. */
  readonly mayChange: boolean;
  /** Its place in the order of planning, from 0. */
  readonly rank: number;
  /** Oldest first. */
  readonly pods: readonly PodView[];
}

/** So many pods of a class still to be placed: the last ones of it. */
export interface Demand {
  readonly podClass: PodClass;
  readonly pods: readonly PodView[];
}

/** The pods of which `keep` holds; classes without one are left out. */
export const demandsOf = (
  demands: readonly Demand[],
  keep: (pod: PodView) => boolean,
): readonly Demand[] =>
  demands
    .map(({ podClass, pods }) => ({ podClass, pods: pods.filter(keep) }))
    .filter(({ pods }) => pods.length > 0);

export const podsIn = (demands: readonly Demand[]): number =>
  demands.reduce((sum, { pods }) => sum + pods.length, 0);

/**
 * Classes in the order of planning: priority falling (as the scheduler binds), then those that fewer
 * groups can take, then the larger share of the largest new node, then by the oldest pod. The order depends
 * on nothing that a decision changes, so that the next look fills the same nodes alike.
 */
export const podClassesOf = (
  pods: readonly PodView[],
  groups: readonly GroupState[],
  state: SchedulingState,
): readonly PodClass[] => {
  state.learn(pods);
  const byClass = new Map<string, { question: FitQuestion; pods: PodView[] }>();
  for (const pod of pods) {
    const question = state.questionOf(pod);
    const key = `${pod.priority ?? 0} ${question.id}`;
    const others = byClass.get(key);
    if (others === undefined) byClass.set(key, { question, pods: [pod] });
    else others.pods.push(pod);
  }
  const reference = groups.map((group) => group.capacity).reduce(maxResources, {});
  return [...byClass.values()]
    .map(({ question, pods: all }) => toClass(question, all))
    .filter((entry) => entry !== undefined)
    .map((podClass) => ({
      podClass,
      choices: groups.filter((group) => group.takes(podClass.sample)).length,
      size: shareOf(podClass.sample.requests, reference),
    }))
    .sort(
      (a, b) =>
        b.podClass.priority - a.podClass.priority ||
        a.choices - b.choices ||
        Number(b.size > a.size) - Number(a.size > b.size) ||
        byAge(a.podClass.sample, b.podClass.sample),
    )
    .map(({ podClass }, rank) => ({ ...podClass, rank }));
};

const toClass = (
  question: FitQuestion,
  pods: readonly PodView[],
): Omit<PodClass, 'rank'> | undefined => {
  const sorted = [...pods].sort(byAge);
  const [sample] = sorted;
  return (
    sample && {
      priority: sample.priority ?? 0,
      sample,
      question,
      mayChange: dependsOnOthers(sample),
      pods: sorted,
    }
  );
};

const dependsOnOthers = ({ podAffinity, topologySpread = [] }: PodView): boolean =>
  (podAffinity?.required.length ?? 0) > 0 ||
  topologySpread.some(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule');

const byAge = (a: PodView, b: PodView): number =>
  compareAges(a.createdAtMs, b.createdAtMs) || compareText(podKey(a), podKey(b));

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

/** Two of unknown age are level: Infinity less Infinity would be no number. */
const compareAges = (a = Number.MAX_SAFE_INTEGER, b = Number.MAX_SAFE_INTEGER): number => a - b;
