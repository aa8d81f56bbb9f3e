import type { PodAffinity, PodAffinityTerm, Weighted } from '#cluster/constraints.ts';
import { type CountTable, countTable } from './count-table.ts';
import type { NodeList } from './node-list.ts';
import type { PodPredicate, Predicates } from './predicates.ts';
import type { StatePod } from './scheduling-state.ts';
import type { Topologies } from './topologies.ts';

/** A term of placed pods, with how many of its owners are in each domain. */
export interface OwnerTerm {
  readonly term: PodAffinityTerm;
  readonly weight: number;
  /** The pods that it speaks of. */
  readonly predicate: PodPredicate;
  readonly owners: CountTable;
}

/** Which terms of pods are kept. */
export interface TermChoice {
  readonly affinityOf: (pod: StatePod) => PodAffinity | undefined;
  readonly terms: (affinity: PodAffinity) => readonly Weighted<PodAffinityTerm>[];
}

/** Anti-affinity that keeps pods away. */
export const requiredAntiAffinity: TermChoice = {
  affinityOf: ({ podAntiAffinity }) => podAntiAffinity,
  terms: ({ required }) => required.map((term) => ({ weight: 1, term })),
};

/** Terms of placed pods, which mean others as those would mean them (their symmetry). */
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
  choice: TermChoice = requiredAntiAffinity,
): OwnerTerms {
  const byTerm = new Map<string, OwnerTerm>();
  const byPredicate = new Map<PodPredicate, OwnerTerm[]>();
  const ofAffinity = new WeakMap<PodAffinity, readonly OwnerTerm[]>();
  let prepared = false;

  const ownerTerm = ({ term, weight }: Weighted<PodAffinityTerm>): OwnerTerm => {
    const key = JSON.stringify([weight, term]);
    let owner = byTerm.get(key);
    if (owner === undefined) {
      const predicate = predicates.ofExistingTerm(term);
      owner = { term, weight, predicate, owners: countTable(topologies.of(term.topologyKey)) };
      byTerm.set(key, owner);
      const others = byPredicate.get(predicate);
      if (others === undefined) byPredicate.set(predicate, [owner]);
      else others.push(owner);
    }
    return owner;
  };
  const termsOf = (pod: StatePod): readonly OwnerTerm[] => {
    const affinity = choice.affinityOf(pod);
    if (affinity === undefined) return none;
    let terms = ofAffinity.get(affinity);
    if (terms === undefined) {
      terms = choice.terms(affinity).map(ownerTerm);
      ofAffinity.set(affinity, terms);
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
