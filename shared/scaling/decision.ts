import type { Problem } from '#cluster/problem.ts';
import type { ClusterSnapshot } from '#cluster/snapshot.ts';
import type { NodeGroupsView } from './aws-views.ts';
import type { LedgerEntry } from './ledger.ts';
import type { ScalingPolicy } from './policy.ts';
import type { Prices } from './prices.ts';

/** All that decideScaleUp may know. JSON data through and through: the journal keeps it whole. */
export interface ScaleUpInput {
  readonly cluster: string;
  readonly snapshot: ClusterSnapshot;
  readonly nodeGroups: NodeGroupsView;
  readonly ledger: readonly LedgerEntry[];
  readonly policy: ScalingPolicy;
  /** As far as they were asked for and found. */
  readonly prices?: Prices;
  readonly nowMs: number;
}

export interface ScaleUp {
  readonly group: string;
  /** A promise where the group has one zone; absent where AWS chooses among several. */
  readonly zone?: string;
  /** Desired capacity before and after. */
  readonly from: number;
  readonly to: number;
  /** New nodes, where desired capacity counts units of weight; absent: `to - from`. */
  readonly nodes?: number;
  readonly instanceType?: string;
  /** `namespace/name`, in the order planned. */
  readonly pods: readonly string[];
  readonly reason: string;
}

/** How many nodes a raise asks for. */
export const nodesOf = ({ from, to, nodes }: Pick<ScaleUp, 'from' | 'to' | 'nodes'>): number =>
  nodes ?? to - from;

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

/** Desired capacity that AWS cannot give is taken back: `to` is never below the instances there are. */
export interface TakeBack {
  readonly group: string;
  readonly from: number;
  readonly to: number;
  readonly reason: string;
}

/** What must wake somebody, as the decision knows it. */
export interface Alert {
  /** `launches-without-binding`, `group-launches-fail`. */
  readonly kind: string;
  /** `pod ns/name`, `group workers-a`. */
  readonly subject: string;
  /** When the occasion began; with kind and subject it names the alert. */
  readonly sinceMs: number;
  readonly summary: string;
  readonly text: string;
}

export interface ScaleUpDecision {
  readonly scaleUps: readonly ScaleUp[];
  readonly takeBacks: readonly TakeBack[];
  readonly fits: readonly Fit[];
  readonly stuck: readonly StuckPod[];
  readonly ignored: readonly IgnoredPod[];
  /** Groups that cannot be used, and why: `{ group, code, message }`. */
  readonly blockedGroups: readonly Reason[];
  readonly alerts: readonly Alert[];
  readonly problems: readonly Problem[];
}
