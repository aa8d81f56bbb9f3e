import type { ClusterSnapshot } from '#cluster/snapshot.ts';
import type { NodeGroupsView } from './aws-views.ts';
import { counts } from './coming.ts';
import type { ScaleUpDecision } from './decision.ts';
import type { LedgerEntry } from './ledger.ts';
import { instanceIdOf } from './match-nodes.ts';
import { launchSuspended } from './node-template.ts';
import type { ScalingPolicy } from './policy.ts';

/** Groups whose launches have to be asked for: they miss instances, or are backed off. */
export const groupsToAsk = (
  view: NodeGroupsView,
  ledger: readonly LedgerEntry[],
): readonly string[] => {
  const backedOff = new Set(
    ledger.filter(({ backOff }) => backOff !== undefined).map(({ group }) => group),
  );
  return view.groups
    .filter((group) => !launchSuspended(group))
    .filter(
      (group) => group.desired > group.instances.filter(counts).length || backedOff.has(group.name),
    )
    .map(({ name }) => name);
};

/** Instances that Nodes claim to be and that none of the groups has, sorted. */
export const claimedInstances = (
  view: NodeGroupsView,
  snapshot: ClusterSnapshot,
): readonly string[] => {
  const own = new Set(view.groups.flatMap(({ instances }) => instances.map(({ id }) => id)));
  const claimed = snapshot.nodes.flatMap(({ providerId }) => instanceIdOf(providerId) ?? []);
  return [...new Set(claimed.filter((id) => !own.has(id)))].sort();
};

export interface Known {
  readonly cluster: string;
  readonly snapshot: ClusterSnapshot;
  readonly ledger: readonly LedgerEntry[];
  readonly policy: ScalingPolicy;
  readonly nowMs: number;
}

/** Whether a sweep may stop before it asks AWS: nothing waits, nothing is on its way. */
export const isQuiet = (_known: Known): boolean => false;

/** Whether a decision found nothing to do and nothing on its way. */
export const foundQuiet = (_decision: ScaleUpDecision, _ledger: readonly LedgerEntry[]): boolean =>
  false;
