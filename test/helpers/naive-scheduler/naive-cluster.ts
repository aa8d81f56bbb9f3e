import type { LabelSelector, PodQuery } from '#cluster/constraints.ts';
import type { NodeTemplate } from '#scheduling/node.ts';
import type { StateContext, StatePod } from '#scheduling/state/scheduling-state.ts';

/*
 * The rules of kube-scheduler's filters once more, written to be read and not to be fast: everything is
 * counted anew for each question. The engine is compared with it.
 */

export interface NaiveNode {
  readonly node: NodeTemplate;
  readonly pods: readonly StatePod[];
}

export interface NaiveCluster {
  readonly context: StateContext;
  readonly nodes: readonly NaiveNode[];
}

type Labels = Readonly<Record<string, string>>;

export const labelOf = (labels: Labels, key: string): string | undefined =>
  Object.hasOwn(labels, key) ? labels[key] : undefined;

export function matchesSelector(selector: LabelSelector | undefined, labels: Labels): boolean {
  if (selector === undefined) return false;
  const pairsMatch = Object.entries(selector.matchLabels).every(
    ([key, value]) => labelOf(labels, key) === value,
  );
  return (
    pairsMatch &&
    selector.matchExpressions.every(({ key, operator, values }) => {
      const value = labelOf(labels, key);
      if (operator === 'In') return value !== undefined && values.includes(value);
      if (operator === 'NotIn') return value === undefined || !values.includes(value);
      return operator === 'Exists' ? value !== undefined : value === undefined;
    })
  );
}

export const selectsAll = (selector: LabelSelector | undefined): boolean =>
  selector !== undefined &&
  Object.keys(selector.matchLabels).length === 0 &&
  selector.matchExpressions.length === 0;

/** A term of a Pending pod against an existing one: its namespace selector finds namespaces that exist. */
export function termOfPendingMatches(
  query: PodQuery,
  existing: StatePod,
  { namespaces }: StateContext,
): boolean {
  const { namespaceSelector } = query;
  const inNamespace =
    query.namespaces.includes(existing.namespace) ||
    selectsAll(namespaceSelector) ||
    namespaces.some(
      ({ name, labels }) =>
        name === existing.namespace && matchesSelector(namespaceSelector, labels),
    );
  return inNamespace && matchesSelector(query.selector, existing.labels);
}

/** A term of an existing pod against a Pending one: an unknown namespace has no labels. */
export function termOfExistingMatches(
  query: PodQuery,
  pending: StatePod,
  { namespaces }: StateContext,
): boolean {
  const labels = namespaces.find(({ name }) => name === pending.namespace)?.labels ?? {};
  const inNamespace =
    query.namespaces.includes(pending.namespace) ||
    matchesSelector(query.namespaceSelector, labels);
  return inNamespace && matchesSelector(query.selector, pending.labels);
}
