import type { NodeTemplate } from '../node.ts';
import type { SchedulingState, StatePod } from '../state/scheduling-state.ts';

/** Pods that ask for the same, whatever they are called. */
export interface PodKind {
  readonly pod: StatePod;
  readonly count: number;
}

/** A node that can be had: what is left of it once DaemonSets have taken theirs, and its zone among the labels. */
export interface NodeOffer {
  readonly template: NodeTemplate;
  /** A whole number, in one unit for all offers: micro-dollars per hour, say. */
  readonly price: number;
  /** How many can be had; `Infinity` where nothing limits it. */
  readonly limit: number;
  /** Whether such a node may be for the pod at all, by what filters look at but for its requests. Absent: as they say. */
  readonly accepts?: (pod: StatePod) => boolean;
}

export interface PackingQuestion {
  readonly kinds: readonly PodKind[];
  readonly offers: readonly NodeOffer[];
  /** Nodes there are, with their pods: they are free and come first. It is left as it was found. */
  readonly state: SchedulingState;
  /** Positions of those of them that may get pods. Absent: all of them. */
  readonly existing?: readonly number[];
  /** How many splits of two nodes may be tried to make the plan cheaper. A larger number never costs more. */
  readonly trials: number;
}

/** So many pods of a kind bound to one node, one right after the other. */
export interface Binding {
  /** Position in `kinds`. */
  readonly kind: number;
  /** Position in the state; new nodes follow those there are, in the order of `nodes`. */
  readonly node: number;
  readonly count: number;
}

export interface PackingAnswer {
  /** The offer of each new node, by its position in `offers`. */
  readonly nodes: readonly number[];
  /** Every step is legal once all of the new nodes are there. */
  readonly bindings: readonly Binding[];
  /** By kind: how many found no place. */
  readonly unplaced: readonly number[];
  /** Of the new nodes, in the offers' unit. */
  readonly price: number;
  /** How many splits were tried. */
  readonly trials: number;
  /** No plan that places all of the pods is cheaper, were pods and nodes divisible at will. */
  readonly least: number;
}
