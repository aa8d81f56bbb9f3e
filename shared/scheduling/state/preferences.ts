import { type ControllerCounts, controllerCounts } from './controller-counts.ts';
import type { NodeList } from './node-list.ts';
import { type OwnerTerms, ownerTerms, type TermChoice } from './owner-terms.ts';
import type { Predicates } from './predicates.ts';
import type { StatePod } from './scheduling-state.ts';
import { type ScoredExtra, scoredExtra } from './scored-requests.ts';
import type { Topologies } from './topologies.ts';

/** What scores look at beside what filters do. Nothing is kept before the first score is asked for. */
export interface Preferences {
  /** Affinity of placed pods that draws others to them. */
  readonly drawing: OwnerTerms;
  /** Preferred anti-affinity of placed pods. */
  readonly repelling: OwnerTerms;
  readonly controllers: ControllerCounts;
  readonly extra: ScoredExtra;
  place(pod: StatePod, node: number): void;
  remove(pod: StatePod, node: number): void;
  nodeAdded(node: number): void;
}

/** hardPodAffinityWeight of the default profile. */
const weightOfRequired = 1;

const drawingTerms: TermChoice = {
  affinityOf: ({ podAffinity }) => podAffinity,
  terms: ({ required, preferred }) => [
    ...required.map((term) => ({ weight: weightOfRequired, term })),
    ...preferred,
  ],
};

const repellingTerms: TermChoice = {
  affinityOf: ({ podAntiAffinity }) => podAntiAffinity,
  terms: ({ preferred }) => preferred,
};

export function preferences(
  nodes: NodeList,
  topologies: Topologies,
  predicates: Predicates,
): Preferences {
  const parts = {
    drawing: ownerTerms(nodes, topologies, predicates, drawingTerms),
    repelling: ownerTerms(nodes, topologies, predicates, repellingTerms),
    controllers: controllerCounts(nodes, topologies),
    extra: scoredExtra(nodes),
  };
  const all = Object.values(parts);
  return {
    ...parts,
    place: (pod, node) => {
      for (const part of all) part.place(pod, node);
    },
    remove: (pod, node) => {
      for (const part of all) part.remove(pod, node);
    },
    nodeAdded: parts.extra.nodeAdded,
  };
}
