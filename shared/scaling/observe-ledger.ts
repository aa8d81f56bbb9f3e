import { compareText } from '#cluster/order.ts';
import { getOwn, setOwn } from '#cluster/own-record.ts';
import { runsVpcCni } from '#kubelet/max-pods.ts';
import type { AutoScalingGroup, GroupInstance } from './aws-views.ts';
import type { ScaleUpInput } from './decision.ts';
import type { InstanceObservation, LedgerEntry } from './ledger.ts';
import { instanceTypeOf, type LiveNode, matchNodes } from './match-nodes.ts';
import { buildTemplates } from './node-template.ts';
import { isUsable } from './usable.ts';

export interface LedgerChange {
  /** The ledger as it now stands: one entry for each group of the input, by name. */
  readonly entries: readonly LedgerEntry[];
  /** Those of them that differ from what was remembered. */
  readonly changed: readonly LedgerEntry[];
  /** Groups that are no longer there. */
  readonly removed: readonly string[];
}

/**
 * What this look adds to the ledger: instances first seen, Nodes first seen usable, expectations that
 * have come true (the group itself says the capacity now) or grown older than the start limit. Looking
 * again at the same world changes nothing.
 */
export const observeLedger = (input: ScaleUpInput): LedgerChange => {
  const { snapshot, nodeGroups, ledger, policy } = input;
  const live = matchNodes(nodeGroups.groups, snapshot.nodes);
  const clusterRunsVpcCni = runsVpcCni(snapshot.daemonSets);
  const known = new Map(ledger.map((entry) => [entry.group, entry]));
  const seen = [...nodeGroups.groups]
    .sort((a, b) => compareText(a.name, b.name))
    .map((group) => {
      const ofGroup = live.get(group.name) ?? new Map<string, LiveNode>();
      const { promised } = buildTemplates(group, {
        aws: nodeGroups,
        policy,
        clusterRunsVpcCni,
        live: [...ofGroup.values()],
        nowMs: input.nowMs,
      });
      const before = known.get(group.name) ?? { group: group.name, generation: 0, instances: {} };
      const instances: Record<string, InstanceObservation> = {};
      for (const instance of [...group.instances].sort((a, b) => compareText(a.id, b.id))) {
        const one = ofGroup.get(instance.id);
        const node = one?.node;
        const needs = (one && promised.get(instanceTypeOf(one))) ?? [];
        const usable = node !== undefined && isUsable(node, needs, policy.startupTaints);
        const observation = observe(instance, before, {
          usable,
          nowMs: input.nowMs,
          ...(node?.createdAtMs === undefined ? {} : { createdAtMs: node.createdAtMs }),
        });
        setOwn(instances, instance.id, observation);
      }
      return { before, entry: { ...expectation(before, group, input), instances } };
    });
  return {
    entries: seen.map(({ entry }) => entry),
    changed: seen.filter(({ before, entry }) => !isSame(before, entry)).map(({ entry }) => entry),
    removed: [...known.keys()].filter((group) => !live.has(group)).sort(),
  };
};

interface Sight {
  readonly usable: boolean;
  readonly createdAtMs?: number;
  readonly nowMs: number;
}

/** A Node older than the first look proves that its instance is at least as old. */
const observe = (
  instance: GroupInstance,
  before: LedgerEntry,
  { usable, createdAtMs, nowMs }: Sight,
): InstanceObservation => {
  const known = getOwn(before.instances, instance.id);
  const usableAtMs = known?.usableAtMs ?? (usable ? nowMs : undefined);
  return {
    firstSeenMs: known?.firstSeenMs ?? Math.min(createdAtMs ?? nowMs, nowMs),
    ...(usableAtMs === undefined ? {} : { usableAtMs }),
  };
};

/** The entry, without a `to` that has come true or is too old to come. */
const expectation = (
  before: LedgerEntry,
  group: AutoScalingGroup,
  { policy, nowMs }: ScaleUpInput,
): LedgerEntry => {
  const { to, toAtMs, ...rest } = before;
  const isOpen =
    to !== undefined &&
    group.desired < to &&
    (toAtMs === undefined || toAtMs + policy.startLimitSeconds * 1000 >= nowMs);
  return isOpen ? before : rest;
};

const isSame = (before: LedgerEntry, entry: LedgerEntry): boolean => {
  const [a, b] = [Object.entries(before.instances), Object.entries(entry.instances)];
  return (
    before.to === entry.to &&
    before.toAtMs === entry.toAtMs &&
    a.length === b.length &&
    b.every(([id, seen]) => {
      const other = getOwn(before.instances, id);
      return other?.firstSeenMs === seen.firstSeenMs && other.usableAtMs === seen.usableAtMs;
    })
  );
};
