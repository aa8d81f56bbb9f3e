import type { PodQuery } from '#cluster/constraints.ts';
import { getOwn } from '#cluster/own-record.ts';
import type { NamespaceView } from '#cluster/snapshot.ts';
import type { StatePod } from './scheduling-state.ts';
import { type Anchor, anchorOf, isEmptySelector, keysOf, labelMatcher } from './selectors.ts';

/** What a predicate looks at. */
export type PodFacts = Pick<StatePod, 'namespace' | 'labels' | 'deletedAtMs'>;

/** Whether a pod is one of those that a term or a constraint speaks of. */
export interface PodPredicate {
  readonly id: number;
  readonly matches: (pod: PodFacts) => boolean;
  /** Label keys that it looks at. */
  readonly keys: readonly string[];
  readonly anchor: Anchor | undefined;
}

export interface Predicates {
  readonly count: number;
  /** Existing pods that match all these terms of a Pending pod together. */
  ofTerms(terms: readonly PodQuery[]): PodPredicate;
  /** Pending pods that match a term of an existing pod. */
  ofExistingTerm(term: PodQuery): PodPredicate;
  /** Pods of a namespace that a spread constraint counts. */
  ofSpread(namespace: string, selector: PodQuery['selector']): PodPredicate;
  /** Every predicate that a pod matches, rising by id. */
  matchedBy(pod: PodFacts): readonly PodPredicate[];
}

type Matches = (pod: PodFacts) => boolean;

/** Predicates that can be found by the labels of a pod. */
export interface PredicateIndex {
  add(predicate: PodPredicate): void;
  matchedBy(pod: PodFacts): PodPredicate[];
}

export function predicateIndex(): PredicateIndex {
  const anchored = new Map<string, Map<string, PodPredicate[]>>();
  const others: PodPredicate[] = [];
  return {
    add: (predicate) => {
      const { anchor } = predicate;
      if (anchor === undefined) {
        others.push(predicate);
        return;
      }
      const byValue = anchored.get(anchor.key) ?? new Map<string, PodPredicate[]>();
      anchored.set(anchor.key, byValue);
      for (const value of anchor.values) {
        const list = byValue.get(value);
        if (list === undefined) byValue.set(value, [predicate]);
        else list.push(predicate);
      }
    },
    matchedBy: (pod) => {
      const found: PodPredicate[] = others.filter(({ matches }) => matches(pod));
      for (const [key, byValue] of anchored) {
        const value = getOwn(pod.labels, key);
        for (const one of (value !== undefined && byValue.get(value)) || []) {
          if (one.matches(pod)) found.push(one);
        }
      }
      return found;
    },
  };
}

/**
 * The namespaces of a term. A Pending pod's selector finds those that exist; an existing pod's is
 * asked of the Pending pod's namespace, whose labels count as none where it is not known
 * (interpodaffinity of kube-scheduler 1.37).
 */
function namespaceMatcher(
  query: PodQuery,
  namespaces: ReadonlyMap<string, NamespaceView>,
  mustExist: boolean,
): (namespace: string) => boolean {
  const named = new Set(query.namespaces);
  const selector = query.namespaceSelector;
  if (selector === undefined) return (namespace) => named.has(namespace);
  if (isEmptySelector(selector)) return () => true;
  const matches = labelMatcher(selector);
  return (namespace) => {
    if (named.has(namespace)) return true;
    const view = namespaces.get(namespace);
    return view === undefined ? !mustExist && matches({}) : matches(view.labels);
  };
}

export function podPredicates(namespaceViews: readonly NamespaceView[]): Predicates {
  const namespaces = new Map(namespaceViews.map((view) => [view.name, view]));
  const known = new Map<string, PodPredicate>();
  const index = predicateIndex();

  const intern = (
    key: string,
    selectors: readonly PodQuery['selector'][],
    make: () => Matches,
  ): PodPredicate => {
    let predicate = known.get(key);
    if (predicate === undefined) {
      predicate = {
        id: known.size,
        matches: make(),
        keys: selectors.flatMap(keysOf),
        anchor: selectors.map(anchorOf).find((anchor) => anchor !== undefined),
      };
      known.set(key, predicate);
      index.add(predicate);
    }
    return predicate;
  };
  const matcherOf = (query: PodQuery, mustExist: boolean): Matches => {
    const inNamespace = namespaceMatcher(query, namespaces, mustExist);
    const matches = labelMatcher(query.selector);
    return (pod) => inNamespace(pod.namespace) && matches(pod.labels);
  };
  const keyOf = ({ selector, namespaces, namespaceSelector }: PodQuery): string =>
    JSON.stringify([selector ?? null, namespaces, namespaceSelector ?? null]);

  return {
    get count() {
      return known.size;
    },
    ofTerms: (terms) =>
      intern(
        `terms ${terms.map(keyOf).join()}`,
        terms.map(({ selector }) => selector),
        () => {
          const matchers = terms.map((term) => matcherOf(term, true));
          return (pod) => matchers.every((matches) => matches(pod));
        },
      ),
    ofExistingTerm: (term) =>
      intern(
        `${term.namespaceSelector === undefined ? 'terms' : 'existing'} ${keyOf(term)}`,
        [term.selector],
        () => matcherOf(term, false),
      ),
    ofSpread: (namespace, selector) =>
      intern(`spread ${JSON.stringify([namespace, selector ?? null])}`, [selector], () => {
        // kube-scheduler counts no pod for a selector that matches everything.
        if (selector !== undefined && isEmptySelector(selector)) return () => false;
        const matches = labelMatcher(selector);
        return (pod) =>
          pod.deletedAtMs === undefined && pod.namespace === namespace && matches(pod.labels);
      }),
    matchedBy: (pod) => index.matchedBy(pod).sort((a, b) => a.id - b.id),
  };
}
