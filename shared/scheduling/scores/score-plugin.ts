import type { StatePod } from '../state/scheduling-state.ts';
import type { StateTables } from '../state/state-tables.ts';

/** Nodes that passed the filters: the first `count` of the list. */
export interface PassedNodes {
  readonly list: Int32Array;
  readonly count: number;
}

/** What one plugin says of nodes for one class of pods. */
export interface ScorePart {
  /**
   * What a raw score depends on beside the node itself: nothing that changes, the pods on the node,
   * or pods anywhere.
   */
  readonly changesWith: 'nothing' | 'podsOnNode' | 'anyPod';
  /** With `nothing`: it looks at the node's own name or hostname; otherwise nodes of a kind are alike to it. */
  readonly byName?: boolean;
  /** Whether it scores all nodes alike as things are: then it is not asked. */
  readonly isLevel?: () => boolean;
  /** Looks at who passed before any of them is scored. */
  readonly prepare?: (passed: PassedNodes) => void;
  readonly raw: (node: number) => number;
  /** Turns the raw scores, in the order of the nodes, into whole numbers from 0 to 100. Absent: they are. */
  readonly normalise?: (raws: Float64Array, passed: PassedNodes) => void;
}

/** One plugin of kube-scheduler's Score stage. */
export interface ScorePlugin {
  /** kube-scheduler's own. */
  readonly name: string;
  readonly weight: number;
  /** Makes known the terms that the pod will look at. */
  readonly mention?: (pod: StatePod, tables: StateTables) => void;
  /** `undefined` where the plugin scores all nodes alike. */
  readonly ask: (pod: StatePod, tables: StateTables) => ScorePart | undefined;
}

export const maxScore = 100;
