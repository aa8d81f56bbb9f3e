import { compareText } from '#cluster/order.ts';
import { getOwn, setOwn } from '#cluster/own-record.ts';
import type { AutoScalingGroup } from './aws-views.ts';
import { counts, expectedOf, startOf } from './coming.ts';
import type { ScaleUpInput } from './decision.ts';
import { templatedGroupsOf } from './group-templates.ts';
import type { InstanceObservation, LedgerEntry } from './ledger.ts';
import { launchSuspended } from './node-template.ts';
import { hasPassed, storedTime } from './stored-time.ts';

export interface LedgerChange {
  /** The ledger as it now stands: one entry for each group of the input, by name. */
  readonly entries: readonly LedgerEntry[];
  /** Those of them that differ from what was remembered. */
  readonly changed: readonly LedgerEntry[];
  /** Groups that are no longer there. */
  readonly removed: readonly string[];
}

/**
 * SetDesiredCapacity is known to Auto Scaling at once, but DescribeAutoScalingGroups is only eventually
 * consistent and may show the old number for some seconds. Longer than any such lag seen, shorter than
 * it takes a person to wonder why a group lowered by hand is still counted as high.
 */
export const readLagSeconds = 60;

/**
 * What this look adds to the ledger: instances first seen, Nodes first seen usable, expectations that
 * have come true (the group itself says the capacity now) or that outlived a read lag (somebody lowered
 * it since), and since when AWS owes nodes. Of instances that do not count nothing is kept: out of
 * standby or a warm pool their start begins anew. Looking again at the same world changes nothing.
 */
export const observeLedger = (input: ScaleUpInput): LedgerChange => {
  const known = new Map(input.ledger.map((entry) => [entry.group, entry]));
  const groups = templatedGroupsOf(input);
  const found = new Set(groups.map(({ group }) => group.name));
  const seen = groups.map(({ group, live, isUsable }) => {
    const before = known.get(group.name) ?? { group: group.name, generation: 0, instances: {} };
    const instances: Record<string, InstanceObservation> = {};
    for (const instance of [...group.instances].sort((a, b) => compareText(a.id, b.id))) {
      if (!counts(instance)) continue;
      const one = live.get(instance.id);
      const usable = one !== undefined && isUsable(one);
      const startedMs = known.has(group.name) ? undefined : startOf(instance, one);
      setOwn(
        instances,
        instance.id,
        observe(getOwn(before.instances, instance.id), {
          usable,
          nowMs: input.nowMs,
          ...(startedMs === undefined ? {} : { startedMs }),
        }),
      );
    }
    const entry = { ...expectation(before, group, input.nowMs), instances };
    return { before, entry: withMissing(entry, group, input.nowMs) };
  });
  return {
    entries: seen.map(({ entry }) => entry),
    changed: seen.filter(({ before, entry }) => !isSame(before, entry)).map(({ entry }) => entry),
    removed: [...known.keys()].filter((group) => !found.has(group)).sort(),
  };
};

interface Sight {
  readonly usable: boolean;
  /** When its start began, at the first look at its group; later ones see a start begin. */
  readonly startedMs?: number;
  readonly nowMs: number;
}

const observe = (
  known: InstanceObservation | undefined,
  { usable, startedMs, nowMs }: Sight,
): InstanceObservation => {
  const usableAtMs = known?.usableAtMs ?? (usable ? nowMs : undefined);
  return {
    firstSeenMs: storedTime(known?.firstSeenMs ?? startedMs ?? nowMs, nowMs),
    ...(usableAtMs === undefined ? {} : { usableAtMs: storedTime(usableAtMs, nowMs) }),
  };
};

/** The entry, without a `to` that has come true or that the group had time to show. */
const expectation = (before: LedgerEntry, group: AutoScalingGroup, nowMs: number): LedgerEntry => {
  const { to, toAtMs: confirmedMs, ...rest } = before;
  const toAtMs = storedTime(confirmedMs ?? nowMs, nowMs);
  return to === undefined || group.desired >= to || hasPassed(readLagSeconds, toAtMs, nowMs)
    ? rest
    : { ...rest, to, toAtMs };
};

/**
 * The entry, with the time since which AWS owes nodes. A launch proves that it launches, so the time
 * starts anew; asking for more does not, or a group that launches nothing could be raised for ever.
 */
const withMissing = (
  { missingSinceMs, ...entry }: LedgerEntry,
  group: AutoScalingGroup,
  nowMs: number,
): LedgerEntry => {
  const launched = Object.values(entry.instances).map(({ firstSeenMs }) => firstSeenMs);
  if (launched.length >= expectedOf(group, entry) || launchSuspended(group)) return entry;
  const sinceMs = storedTime(missingSinceMs ?? nowMs, nowMs);
  return { ...entry, missingSinceMs: launched.reduce((a, b) => Math.max(a, b), sinceMs) };
};

const isSame = (before: LedgerEntry, entry: LedgerEntry): boolean => {
  const [a, b] = [Object.entries(before.instances), Object.entries(entry.instances)];
  return (
    before.to === entry.to &&
    before.toAtMs === entry.toAtMs &&
    before.missingSinceMs === entry.missingSinceMs &&
    a.length === b.length &&
    b.every(([id, seen]) => {
      const other = getOwn(before.instances, id);
      return other?.firstSeenMs === seen.firstSeenMs && other.usableAtMs === seen.usableAtMs;
    })
  );
};
