import type { LabelSelector, LabelSelectorRequirement } from './constraints.ts';
import { getOwn } from './own-record.ts';

type Labels = Readonly<Record<string, string>>;

/** Keys whose values the pod's own labels give. */
export interface LabelKeys {
  readonly match: readonly string[];
  readonly mismatch: readonly string[];
}

function requirementsOf(
  keys: readonly string[],
  operator: 'In' | 'NotIn',
  labels: Labels,
): readonly LabelSelectorRequirement[] {
  return keys.flatMap((key) => {
    const value = getOwn(labels, key);
    return value === undefined ? [] : [{ key, operator, values: [value] }];
  });
}

const isAlike = (a: LabelSelectorRequirement, b: LabelSelectorRequirement | undefined): boolean =>
  b !== undefined && a.key === b.key && a.operator === b.operator && b.values.length === 1;

const withExpressions = (
  selector: LabelSelector,
  more: readonly LabelSelectorRequirement[],
): LabelSelector =>
  more.length === 0
    ? selector
    : { ...selector, matchExpressions: [...selector.matchExpressions, ...more] };

/**
 * The selector as the API server stores it: `key In (value)` for each of `match` and `key NotIn (value)` for
 * each of `mismatch` that the pod has a label of, appended when the pod is made (pkg/registry/core/pod/strategy.go
 * of Kubernetes 1.37). A stored pod comes with them, whatever became of its labels since: they are told by
 * their place at the end. Without a selector nothing is merged, for it selects nothing.
 */
export function storedSelector(
  selector: LabelSelector,
  { match, mismatch }: LabelKeys,
  labels: Labels,
): LabelSelector {
  if (match.length === 0 && mismatch.length === 0) return selector;
  const merged = [
    ...requirementsOf(match, 'In', labels),
    ...requirementsOf(mismatch, 'NotIn', labels),
  ];
  if (merged.length === 0) return selector;
  const tail = selector.matchExpressions.slice(-merged.length);
  const isStored = merged.every((requirement, index) => isAlike(requirement, tail[index]));
  return isStored ? selector : withExpressions(selector, merged);
}

/**
 * The selector of a spread constraint as the scheduler uses it: as stored, and once more with the labels
 * that the pod has now (podtopologyspread/common.go). Only where they were changed since is that another.
 */
export function spreadSelector(
  selector: LabelSelector,
  match: readonly string[],
  labels: Labels,
): LabelSelector {
  const stored = storedSelector(selector, { match, mismatch: [] }, labels);
  const missing = requirementsOf(match, 'In', labels).filter(
    (now) =>
      !stored.matchExpressions.some((one) => isAlike(now, one) && one.values[0] === now.values[0]),
  );
  return withExpressions(stored, missing);
}
