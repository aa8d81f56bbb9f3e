import type { PodQuery } from '#cluster/constraints.ts';
import type { SchedulingState, StatePod } from '../state/scheduling-state.ts';
import { keysOf, type LabelMatcher, labelMatcher } from '../state/selectors.ts';

/** Somebody counts the pods of a query by the values of a node label. */
export interface Counting {
  /** The same for the same query, key and use. */
  readonly text: string;
  readonly by: 'affinity' | 'antiAffinity' | 'spread';
  readonly topologyKey: string;
  readonly query: PodQuery;
  readonly selects: LabelMatcher;
}

const countingOf = (by: Counting['by'], topologyKey: string, query: PodQuery): Counting => ({
  text: JSON.stringify([
    by,
    topologyKey,
    query.selector,
    query.namespaces,
    query.namespaceSelector,
  ]),
  by,
  topologyKey,
  query,
  selects: labelMatcher(query.selector),
});

/**
 * Whether the query may count the pod. A namespace selector is taken to match every namespace: the
 * packer asks only to know which pods it must not move freely.
 */
export const mayCount = ({ query, selects }: Counting, { namespace, labels }: StatePod): boolean =>
  (query.namespaceSelector !== undefined || query.namespaces.includes(namespace)) &&
  selects(labels);

const antiAffinityOf = (pod: StatePod): readonly Counting[] =>
  (pod.podAntiAffinity?.required ?? []).map((term) =>
    countingOf('antiAffinity', term.topologyKey, term),
  );

const spreadOf = (pod: StatePod): readonly Counting[] =>
  (pod.topologySpread ?? [])
    .filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule')
    .map(({ selector, topologyKey }) =>
      countingOf('spread', topologyKey, {
        namespaces: [pod.namespace],
        ...(selector && { selector }),
      }),
    );

/** What the hard constraints of a pod count. */
export const countingsOf = (pod: StatePod): readonly Counting[] => [
  ...(pod.podAffinity?.required ?? []).map((term) =>
    countingOf('affinity', term.topologyKey, term),
  ),
  ...antiAffinityOf(pod),
  ...spreadOf(pod),
];

/** Each once. */
export const distinct = (countings: readonly Counting[]): readonly Counting[] => [
  ...new Map(countings.map((counting) => [counting.text, counting])).values(),
];

/** The required anti-affinity of pods that have a node: it keeps others away too. */
export function antiAffinityOn(state: SchedulingState): readonly Counting[] {
  const terms = new Set<NonNullable<StatePod['podAntiAffinity']>>();
  const found: Counting[] = [];
  for (let node = 0; node < state.nodeCount; node += 1) {
    for (const pod of state.podsOn(node)) {
      const { podAntiAffinity } = pod;
      if (podAntiAffinity === undefined || terms.has(podAntiAffinity)) continue;
      terms.add(podAntiAffinity);
      found.push(...antiAffinityOf(pod));
    }
  }
  return distinct(found);
}

/** The pods' labels that somebody looks at. */
export const labelsCounted = (countings: readonly Counting[]): readonly string[] =>
  [...new Set(countings.flatMap(({ query }) => keysOf(query.selector)))].sort();
