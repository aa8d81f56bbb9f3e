import type { Problem } from '#cluster/problem.ts';
import type { ClusterSnapshot } from '#cluster/snapshot.ts';
import type { NodeGroupsView } from './aws-views.ts';
import type { LedgerEntry } from './ledger.ts';
import type { ScalingPolicy } from './policy.ts';

/** All that decideScaleUp may know. JSON data through and through: the journal keeps it whole. */
export interface ScaleUpInput {
  readonly cluster: string;
  readonly snapshot: ClusterSnapshot;
  readonly nodeGroups: NodeGroupsView;
  readonly ledger: readonly LedgerEntry[];
  readonly policy: ScalingPolicy;
  readonly nowMs: number;
}

export interface ScaleUp {
  readonly group: string;
  /** A promise where the group has one zone; absent where AWS chooses among several. */
  readonly zone?: string;
  readonly from: number;
  readonly to: number;
  readonly instanceType?: string;
  /** `namespace/name`, in the order planned. */
  readonly pods: readonly string[];
  readonly reason: string;
}

export interface Fit {
  readonly pod: string;
  /** A Node's name, or `group/<name>/coming-<n>` for a node on its way. */
  readonly node: string;
  /** Of a node on its way. */
  readonly group?: string;
}

export interface Reason {
  readonly group?: string;
  readonly node?: string;
  readonly code: string;
  readonly message: string;
}

export interface StuckPod {
  readonly pod: string;
  readonly reasons: readonly Reason[];
}

export interface IgnoredPod {
  readonly pod: string;
  readonly code: string;
  readonly message: string;
}

export interface ScaleUpDecision {
  readonly scaleUps: readonly ScaleUp[];
  readonly fits: readonly Fit[];
  readonly stuck: readonly StuckPod[];
  readonly ignored: readonly IgnoredPod[];
  /** Groups that cannot be used, and why: `{ group, code, message }`. */
  readonly blockedGroups: readonly Reason[];
  readonly problems: readonly Problem[];
}
