import { getOwn } from '#cluster/own-record.ts';
import type { AutoScalingGroup, ScalingActivity } from './aws-views.ts';
import type { ScaleUpInput } from './decision.ts';
import { templatedGroupsOf } from './group-templates.ts';
import { observeLaunches, waitingUids } from './launches-for-pods.ts';
import type { GoneInstance, InstanceObservation, LedgerEntry } from './ledger.ts';
import { observeBackOff } from './observe-back-off.ts';
import { observeEndings } from './observe-endings.ts';
import { observeInstances } from './observe-instances.ts';
import { remember } from './remembered-amounts.ts';
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
 * What this look adds to the ledger: instances first seen, first usable or failed, expectations that
 * have come true (the group itself says the capacity now) or that outlived a read lag (somebody lowered
 * it since), since when AWS owes nodes, the group's back-off, and of its launches for pods those that
 * still wait; and what usable nodes show, for the time when there are none. Of instances that do not count nothing is kept: out of standby or a warm pool their start
 * begins anew. Looking again at the same world changes nothing.
 */
export const observeLedger = (input: ScaleUpInput): LedgerChange => {
  const known = new Map(input.ledger.map((entry) => [entry.group, entry]));
  const groups = templatedGroupsOf(input);
  const found = new Set(groups.map(({ group }) => group.name));
  const launches = launchesByGroup(input.nodeGroups.launches ?? []);
  const waiting = waitingUids(input.snapshot.pods, input.ledger);
  const looks = groups.map((templated) => {
    const { group, startLimitSeconds } = templated;
    const remembered = known.get(group.name);
    const before = remembered ?? { group: group.name, generation: 0, instances: {} };
    const { instances, failures } = observeInstances(templated, remembered, input);
    const { gone, failures: endings } = observeEndings(group, before, input.nowMs);
    const { gone: _, learned: _before, ...expected } = expectation(before, group, input.nowMs);
    const learned = remember(before.learned, templated.templates.learned);
    const seen = {
      ...expected,
      instances,
      ...(gone === undefined ? {} : { gone }),
      ...(learned === undefined ? {} : { learned }),
    };
    const entry = observeBackOff(
      observeLaunches(seen, waiting, input.nowMs),
      {
        group,
        startLimitSeconds,
        launches: launches.get(group.name) ?? [],
        failures: [...endings, ...failures],
      },
      input,
    );
    return { before, entry };
  });
  return {
    entries: looks.map(({ entry }) => entry),
    changed: looks.filter(({ before, entry }) => !isSame(before, entry)).map(({ entry }) => entry),
    removed: [...known.keys()].filter((group) => !found.has(group)).sort(),
  };
};

const launchesByGroup = (
  launches: readonly ScalingActivity[],
): ReadonlyMap<string, readonly ScalingActivity[]> => {
  const byGroup = new Map<string, ScalingActivity[]>();
  for (const launch of launches) {
    const others = byGroup.get(launch.group);
    if (others === undefined) byGroup.set(launch.group, [launch]);
    else others.push(launch);
  }
  return byGroup;
};

/** The entry, without a `to` that has come true or that the group had time to show. */
const expectation = (before: LedgerEntry, group: AutoScalingGroup, nowMs: number): LedgerEntry => {
  const { to, toAtMs: confirmedMs, ...rest } = before;
  const toAtMs = storedTime(confirmedMs ?? nowMs, nowMs);
  return to === undefined || group.desired >= to || hasPassed(readLagSeconds, toAtMs, nowMs)
    ? rest
    : { ...rest, to, toAtMs };
};

const isSame = (before: LedgerEntry, entry: LedgerEntry): boolean =>
  before.to === entry.to &&
  before.toAtMs === entry.toAtMs &&
  before.missingSinceMs === entry.missingSinceMs &&
  before.provenMs === entry.provenMs &&
  before.backOff === entry.backOff &&
  before.launchesFor === entry.launchesFor &&
  before.openLaunches === entry.openLaunches &&
  before.learned === entry.learned &&
  areSame(before.instances, entry.instances) &&
  areSame(before.gone ?? {}, entry.gone ?? {});

type Seen = Readonly<Record<string, InstanceObservation & Partial<GoneInstance>>>;

const areSame = (before: Seen, now: Seen): boolean => {
  const all = Object.entries(now);
  return (
    Object.keys(before).length === all.length &&
    all.every(([id, seen]) => {
      const other = getOwn(before, id);
      return (
        other?.firstSeenMs === seen.firstSeenMs &&
        other.usableAtMs === seen.usableAtMs &&
        other.failedAtMs === seen.failedAtMs &&
        other.givenUpAtMs === seen.givenUpAtMs &&
        other.goneSinceMs === seen.goneSinceMs
      );
    })
  );
};
