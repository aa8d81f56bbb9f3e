import type { DisruptionBudgetView } from '#cluster/snapshot.ts';
import type { StatePod } from '../state/scheduling-state.ts';
import { isEmptySelector, type LabelMatcher, labelMatcher } from '../state/selectors.ts';

export interface SortedVictims<Pod> {
  /** Their eviction would go against a PodDisruptionBudget. */
  readonly violating: readonly Pod[];
  readonly others: readonly Pod[];
}

interface Budget {
  readonly namespace: string;
  readonly matches: LabelMatcher;
  readonly allowed: number;
}

/** Sorts victims by whether budgets let them go, one after another in the order given. */
export type BudgetSorter = <Pod extends StatePod>(victims: readonly Pod[]) => SortedVictims<Pod>;

/**
 * The budgets as preemption counts them (FilterVictimsWithPDBViolation of kube-scheduler 1.37): one with
 * an empty selector and a pod without labels are out of it. Pods whose eviction the API server has granted
 * already, which kube-scheduler does not count, are not known here.
 */
export function budgetSorter(views: readonly DisruptionBudgetView[]): BudgetSorter {
  const budgets: readonly Budget[] = views
    .filter(({ selector }) => selector !== undefined && !isEmptySelector(selector))
    .map(({ namespace, selector, disruptionsAllowed }) => ({
      namespace,
      matches: labelMatcher(selector),
      allowed: disruptionsAllowed,
    }));
  return (victims) => {
    const left = budgets.map(({ allowed }) => allowed);
    /** Stops at the first budget that is used up; those after it are not charged. */
    const violates = ({ namespace, labels }: StatePod): boolean => {
      if (Object.keys(labels).length === 0) return false;
      for (const [index, budget] of budgets.entries()) {
        if (budget.namespace !== namespace || !budget.matches(labels)) continue;
        const rest = (left[index] ?? 0) - 1;
        left[index] = rest;
        if (rest < 0) return true;
      }
      return false;
    };
    const violating: (typeof victims)[number][] = [];
    const others: (typeof victims)[number][] = [];
    for (const victim of victims) (violates(victim) ? violating : others).push(victim);
    return { violating, others };
  };
}
