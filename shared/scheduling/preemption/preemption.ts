import { compareText } from '#cluster/order.ts';
import { type DisruptionBudgetView, podKey } from '#cluster/snapshot.ts';
import type { QueuedPod } from '../replay/queue-order.ts';
import type { SchedulingState, StatePod } from '../state/scheduling-state.ts';
import { type Trials, trialsOfFilters } from '../trials.ts';
import { type BudgetSorter, budgetSorter } from './budgets.ts';

/** A node on which a pod would find room, once these pods are gone. */
export interface Preemption {
  readonly node: number;
  /** The most important first. */
  readonly victims: readonly StatePod[];
  /** How many of them go against a PodDisruptionBudget. */
  readonly violations: number;
}

export interface PreemptionQuestion {
  /** It is left as it was. */
  readonly state: SchedulingState;
  /** Positions of the nodes that take pods. */
  readonly nodes: readonly number[];
  readonly budgets: readonly DisruptionBudgetView[];
  readonly trials: Trials;
}

const priorityOf = ({ priority = 0 }: StatePod): number => priority;

/** When it came to be stands for when it started. */
const startOf = (pod: StatePod): number =>
  (pod as QueuedPod).createdAtMs ?? Number.MAX_SAFE_INTEGER;

/** Of two that kube-scheduler holds level, the one first by name. */
const byImportance = (a: StatePod, b: StatePod): number =>
  priorityOf(b) - priorityOf(a) || startOf(a) - startOf(b) || compareText(podKey(a), podKey(b));

interface Dry {
  readonly pod: StatePod;
  readonly state: SchedulingState;
  readonly sort: BudgetSorter;
  readonly trials: Trials;
}

/** The fewest that must go, if all of lower priority would do (SelectVictimsOnNode). */
function victimsOn(node: number, { pod, state, sort, trials }: Dry): Preemption | undefined {
  const question = state.questionOf(pod);
  if (!question.suits(node)) return undefined;
  const lower = state.podsOn(node).filter((one) => priorityOf(one) < priorityOf(pod));
  if (lower.length === 0) return undefined;
  const passes = (): boolean => {
    trials.left -= trialsOfFilters;
    return question.passes(node);
  };
  const gone = new Set(lower);
  for (const one of lower) state.remove(one, node);
  const helps = passes();
  const spare = (one: StatePod): boolean => {
    state.place(one, node);
    if (passes()) {
      gone.delete(one);
      return true;
    }
    state.remove(one, node);
    return false;
  };
  let violations = 0;
  if (helps) {
    const { violating, others } = sort(lower.toSorted(byImportance));
    for (const one of violating) if (!spare(one)) violations += 1;
    for (const one of others) spare(one);
  }
  for (const one of gone) state.place(one, node);
  if (!helps || gone.size === 0) return undefined;
  return { node, victims: [...gone].sort(byImportance), violations };
}

const highest = ({ victims }: Preemption): number => priorityOf(victims[0] as StatePod);
/** Each counts for something, a negative priority too. */
const sum = ({ victims }: Preemption): number =>
  victims.reduce((total, victim) => total + priorityOf(victim) + 2 ** 31, 0);
/** The earliest start of those with the highest priority. */
const earliest = (preemption: Preemption): number =>
  Math.min(
    ...preemption.victims
      .filter((victim) => priorityOf(victim) === highest(preemption))
      .map(startOf),
  );

/** The better first (pickOneNodeForPreemption); of two that are level, the node looked at first. */
const byHarm = (a: Preemption, b: Preemption): number =>
  a.violations - b.violations ||
  highest(a) - highest(b) ||
  sum(a) - sum(b) ||
  a.victims.length - b.victims.length ||
  earliest(b) - earliest(a);

/**
 * Where a pod that no node takes would preempt, and whom (DefaultPreemption of kube-scheduler 1.37); `undefined`
 * where that helps nowhere. All nodes are looked at; kube-scheduler looks at a tenth, at least a hundred,
 * from a random one on, and may thus harm more. Whether the pod may preempt at all is for the caller to say.
 */
export function preemptionFor(
  pod: StatePod,
  { state, nodes, budgets, trials }: PreemptionQuestion,
): Preemption | undefined {
  const dry = { pod, state, sort: budgetSorter(budgets), trials };
  let best: Preemption | undefined;
  for (const node of nodes) {
    if (trials.left <= 0) break;
    trials.left -= 1;
    const one = victimsOn(node, dry);
    if (one !== undefined && (best === undefined || byHarm(one, best) < 0)) best = one;
  }
  return best;
}
