import type { Judge, StaticJudge } from '../state/answers.ts';
import type { StatePod } from '../state/scheduling-state.ts';
import type { StateTables } from '../state/state-tables.ts';
import type { FitReason } from './filter.ts';

/** What one plugin asks of nodes for one class of pods. A node passes where every part that is there does. */
export interface PluginQuestion {
  /** PreFilter keeps the pod from every node. */
  readonly rejected?: FitReason;
  /** PreFilter leaves only nodes of these names. */
  readonly onlyNodes?: ReadonlySet<string>;
  /** The part that never changes while pods come and go. */
  readonly fixed?: StaticJudge;
  /** The part that does. */
  readonly passes?: Judge;
  /**
   * Whether pods that come to other nodes, or leave them, may change what `passes` says of a node, as far
   * as is known when asked. Absent: only pods on the node itself do.
   */
  readonly looksElsewhere?: () => boolean;
  /** How many in a row pass, at most `wanted`, on a node where one does; absent: all. */
  readonly inARow?: (node: number, wanted: number) => number;
  /** Why the node does not pass, in the order in which the plugin looks; empty exactly where it passes. */
  readonly explain: (node: number) => readonly FitReason[];
}

/** One plugin of kube-scheduler's Filter stage. */
export interface FilterPlugin {
  /** kube-scheduler's own. */
  readonly name: string;
  /** It tells every reason of a node; the others stop at the first. */
  readonly tellsAll?: boolean;
  /** `undefined` where the plugin has nothing to say about pods of this class. */
  readonly ask: (pod: StatePod, tables: StateTables) => PluginQuestion | undefined;
}
