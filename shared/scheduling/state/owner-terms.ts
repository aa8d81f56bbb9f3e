import type { PodAffinityTerm } from '#cluster/constraints.ts';
import { type CountTable, countTable } from './count-table.ts';
import type { NodeList } from './node-list.ts';
import type { PodPredicate, Predicates } from './predicates.ts';
import type { StatePod } from './scheduling-state.ts';
import type { Topologies } from './topologies.ts';

/** A required anti-affinity term of placed pods, with how many of its owners are in each domain. */
export interface OwnerTerm {
  readonly term: PodAffinityTerm;
  /** The pods that it keeps away. */
  readonly predicate: PodPredicate;
  readonly owners: CountTable;
}

/** The anti-affinity of placed pods, which keeps others away as their own would (its symmetry). */
export interface OwnerTerms {
  /** Grows as pods with terms never seen before are placed; it never shrinks. */
  readonly count: number;
  /** Looks at the placed pods, once; until then nothing is kept. */
  prepare(): void;
  /** A pod that will be placed has these terms: their predicates are to be known. */
  mention(pod: StatePod): void;
  ofPredicate(predicate: PodPredicate): readonly OwnerTerm[];
  place(pod: StatePod, node: number): void;
  remove(pod: StatePod, node: number): void;
}

const none: readonly OwnerTerm[] = [];

export function ownerTerms(
  nodes: NodeList,
  topologies: Topologies,
  predicates: Predicates,
): OwnerTerms {
  const byTerm = new Map<string, OwnerTerm>();
  const byPredicate = new Map<PodPredicate, OwnerTerm[]>();
  const ofAffinity = new WeakMap<readonly PodAffinityTerm[], readonly OwnerTerm[]>();
  let prepared = false;

  const ownerTerm = (term: PodAffinityTerm): OwnerTerm => {
    const key = JSON.stringify(term);
    let owner = byTerm.get(key);
    if (owner === undefined) {
      const predicate = predicates.ofExistingTerm(term);
      owner = { term, predicate, owners: countTable(topologies.of(term.topologyKey)) };
      byTerm.set(key, owner);
      const others = byPredicate.get(predicate);
      if (others === undefined) byPredicate.set(predicate, [owner]);
      else others.push(owner);
    }
    return owner;
  };
  const termsOf = (pod: StatePod): readonly OwnerTerm[] => {
    const required = pod.podAntiAffinity?.required;
    if (required === undefined || required.length === 0) return none;
    let terms = ofAffinity.get(required);
    if (terms === undefined) {
      terms = required.map(ownerTerm);
      ofAffinity.set(required, terms);
    }
    return terms;
  };
  const change = (pod: StatePod, node: number, amount: number): void => {
    for (const { owners } of termsOf(pod)) owners.add(node, amount);
  };

  return {
    get count() {
      return byTerm.size;
    },
    prepare: () => {
      if (prepared) return;
      prepared = true;
      for (let node = 0; node < nodes.count; node += 1) {
        for (const pod of nodes.podsOn(node)) change(pod, node, 1);
      }
    },
    mention: (pod) => {
      termsOf(pod);
    },
    ofPredicate: (predicate) => byPredicate.get(predicate) ?? none,
    place: (pod, node) => {
      if (prepared) change(pod, node, 1);
    },
    remove: (pod, node) => {
      if (prepared) change(pod, node, -1);
    },
  };
}
