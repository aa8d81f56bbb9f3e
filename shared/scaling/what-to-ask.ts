import { hash32 } from '#cluster/hash32.ts';
import type { ClusterSnapshot } from '#cluster/snapshot.ts';
import type { NodeGroupsView } from './aws-views.ts';
import { isBackedOff } from './back-off.ts';
import { findCandidates } from './candidates.ts';
import { unitsOfAll } from './capacity-units.ts';
import { expandersOf } from './choosing/choosing.ts';
import { counts, expectedOf } from './coming.ts';
import type { ScaleUpDecision } from './decision.ts';
import { groupPolicyOf } from './group-policy.ts';
import { readGroupTags } from './group-tags.ts';
import type { LedgerEntry } from './ledger.ts';
import { type Market, marketsOf } from './markets.ts';
import { instanceIdOf } from './match-nodes.ts';
import { launchSuspended } from './node-template.ts';
import type { ScalingPolicy } from './policy.ts';
import { underWay } from './under-way.ts';

/**
 * Groups whose launches have to be asked for, by name: they miss instances, and nobody has suspended
 * Launch. One that misses none needs no asking, though a launch of it failed: AWS made good for it.
 */
export const groupsToAsk = (
  view: NodeGroupsView,
  ledger: readonly LedgerEntry[],
): readonly string[] => {
  const entries = new Map(ledger.map((entry) => [entry.group, entry]));
  return view.groups
    .filter((group) => !launchSuspended(group))
    .filter(
      (group) =>
        expectedOf(group, entries.get(group.name)) > unitsOfAll(group.instances.filter(counts)),
    )
    .map(({ name }) => name)
    .sort();
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

/** Instance types by the market whose prices a decision asks for. */
export type TypesToPrice = Readonly<Record<Market, readonly string[]>>;

/**
 * None where no expander goes by price, of Spot where no group may launch any, and On-Demand those alone whose price
 * nobody has written down.
 */
export const typesToPrice = (
  { groups, instanceTypes }: NodeGroupsView,
  policy: ScalingPolicy,
): TypesToPrice => {
  if (!expandersOf(policy).includes('price')) return { onDemand: [], spot: [] };
  const markets = new Set(
    groups.flatMap((group) => {
      const said = groupPolicyOf(policy, group.name)?.labels;
      return [...marketsOf(group, { ...said, ...readGroupTags(group).labels })];
    }),
  );
  const types = instanceTypes.map(({ name }) => name).sort();
  return {
    onDemand: markets.has('onDemand')
      ? types.filter((type) => !Object.hasOwn(policy.pricesMicro ?? {}, type))
      : [],
    spot: markets.has('spot') ? types : [],
  };
};

export interface Known {
  readonly cluster: string;
  readonly snapshot: ClusterSnapshot;
  readonly ledger: readonly LedgerEntry[];
  readonly policy: ScalingPolicy;
  readonly nowMs: number;
}

/**
 * Whether a sweep may stop before it asks AWS, where the last decision was quiet: no pod waits for a
 * node, nothing is on its way, and it is not the one minute of five in which this cluster is looked at
 * all the same, since groups and instances change without the cluster telling. Where room is to be kept
 * free it is looked at each time: pods that take it never wait.
 */
export const isQuiet = ({ cluster, snapshot, ledger, policy, nowMs }: Known): boolean => {
  if (Math.floor(nowMs / 60_000) % sweepsPerLook === minuteOf(cluster)) return false;
  if (policy.groups.some(({ headroom }) => headroom !== undefined)) return false;
  if (!ledger.every((entry) => isSettled(entry) && !isBackedOff(entry.backOff, nowMs))) {
    return false;
  }
  const names = new Set(snapshot.nodes.map(({ name }) => name));
  return findCandidates(snapshot.pods, policy, names).pods.length === 0;
};

/** Whether a decision, made from this ledger, found nothing to do and nothing on its way. */
export const foundQuiet = (
  { scaleUps, takeBacks, fits, stuck, alerts, blockedGroups }: ScaleUpDecision,
  ledger: readonly LedgerEntry[],
): boolean =>
  [scaleUps, takeBacks, fits, stuck, alerts].every((list) => list.length === 0) &&
  blockedGroups.every(({ code }) => code !== 'backedOff') &&
  ledger.every(isSettled);

const isSettled = (entry: LedgerEntry): boolean => underWay(entry).length === 0;

/** Of a quiet cluster every fifth sweep looks at AWS. */
const sweepsPerLook = 5;

/** Which of the five: even over many clusters, and always the same for one. */
const minuteOf = (cluster: string): number => hash32(cluster) % sweepsPerLook;
