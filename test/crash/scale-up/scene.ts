import type { LedgerEntry } from '#scaling/ledger.ts';
import type { ScalingPolicy } from '#scaling/policy.ts';
import type { State } from '../stage.ts';

/** What a look at a cluster finds, told so that both a simulated and an emulated account can be set to it. */
export interface Scene {
  readonly name: string;
  /** One line for people. */
  readonly about: string;
  readonly groups: readonly SceneGroup[];
  readonly workloads: readonly SceneWorkload[];
  /** What earlier looks have left in the ledger. */
  readonly ledger?: (found: FoundPods) => readonly LedgerEntry[];
  readonly policy?: Partial<ScalingPolicy>;
  /**
   * What others do with the lease. `held`: somebody died holding it. `marked`: the same, and left a mark in it.
   * `markedMeanwhile`: somebody finds it held by this look.
   */
  readonly lease?: 'held' | 'marked' | 'markedMeanwhile';
  /** A Node claims an instance of another cluster's group. */
  readonly foreignNode?: true;
  /** A look before, so that this one finds the journal as it leaves it. */
  readonly lookedBefore?: true;
  /** A pod may hear of a limit, or of its node at once: it depends on how far the looks came. */
  readonly wordsMayDiffer?: true;
  /** Somebody takes a group's protection of new instances away once the first look has seen it. */
  readonly protectionLost?: string;
  /** Why the look is taken. */
  readonly trigger: 'pod-pending' | 'sweep' | 'marked';
  /** What must be left, in figures: each size that a group was set to, and each page. */
  readonly settled: SceneEnd;
  /** Looks that take place without any sweep where nothing goes wrong. */
  readonly early: { readonly looks: number };
}

export interface SceneEnd extends State {
  readonly changes: readonly { readonly group: string; readonly sizes: readonly number[] }[];
  readonly paged: readonly string[];
}

export interface SceneGroup {
  readonly name: string;
  readonly instanceType: 'm5.large' | 'm5.xlarge';
  readonly max: number;
  /** At the start. Default: 0. */
  readonly desired?: number;
  /** EC2 has no capacity for it. */
  readonly launchesFail?: true;
  /** The label `pool` of its nodes. */
  readonly pool?: string;
}

/** Pods that the scheduler has refused, alike but for their names. */
export interface SceneWorkload {
  readonly name: string;
  readonly replicas: number;
  readonly milliCpu: number;
  /** Only nodes with this label `pool` will do. */
  readonly pool?: string;
}

/** The scene's pods and time, for those entries that name them. */
export interface FoundPods {
  readonly cluster: string;
  readonly nowMs: number;
  uidsOf(workload: string): readonly string[];
}
