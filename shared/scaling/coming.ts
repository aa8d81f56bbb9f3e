import { getOwn } from '#cluster/own-record.ts';
import type { AutoScalingGroup, GroupInstance } from './aws-views.ts';
import { endedWhileStarting, isBackedOff } from './back-off.ts';
import { countsUnits, unitsOf, unitsOfAll } from './capacity-units.ts';
import type { LedgerEntry } from './ledger.ts';
import type { LiveNode } from './match-nodes.ts';
import { hasPassed } from './stored-time.ts';

export interface ComingQuestion {
  readonly group: AutoScalingGroup;
  readonly entry?: LedgerEntry;
  /** The group's Nodes by instance id. */
  readonly live: ReadonlyMap<string, LiveNode>;
  readonly isUsable: (live: LiveNode) => boolean;
  readonly startLimitSeconds: number;
  /** By how much desired capacity rises for one more node; 1 where it counts nodes. */
  readonly unitsPerNode: number;
  readonly nowMs: number;
}

export interface Coming {
  /**
   * What the group is expected to grow to, in units of its desired capacity: that or the ledger's higher `to`;
   * with weights never less than the instances there are, which may be more than was asked for.
   */
  readonly expected: number;
  /** By how much desired capacity rises for one more node. */
  readonly unitsPerNode: number;
  /** Nodes on their way. */
  readonly count: number;
  /** Instances of them that exist already, by id; never more than `count`. */
  readonly starting: readonly GroupInstance[];
}

/**
 * Nodes on their way: max(desired, the ledger's `to`) less the instances that count and have settled.
 * An instance has settled when its Node is or once was usable, or when its start limit has passed; the
 * limit runs from its first sight in the ledger, else from its Node's creation. An instance of which
 * neither is known is on its way. Instances that leave, are parked or wait in a warm pool do not count
 * at all: what they leave open is launched anew. While the group is backed off only instances that exist
 * are on their way: what AWS owes beside them is not counted on; and where it is since one ended while it
 * started, neither is what AWS launched in its stead since. Never negative. Where instances have weights all
 * this is in units: AWS launches until those owed are there, so that even a part of a node's units brings a whole one.
 */
export const comingOf = (question: ComingQuestion): Coming => {
  const { group, entry } = question;
  const { unitsPerNode } = question;
  const counting = group.instances.filter(counts);
  const expected = Math.max(
    expectedOf(group, entry),
    countsUnits(group) ? unitsOfAll(counting) : 0,
  );
  const starting = counting
    .filter((instance) => !hasSettled(instance, question))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const settled = unitsOfAll(counting) - unitsOfAll(starting);
  const wanted = Math.max(expected - settled, 0);
  if (!isBackedOff(entry?.backOff, question.nowMs)) {
    const there = firstUnits(starting, wanted);
    const owed = Math.max(wanted - unitsOfAll(there), 0);
    const count = there.length + Math.ceil(owed / unitsPerNode);
    return { expected, unitsPerNode, count, starting: there };
  }
  const sure = firstUnits(
    starting.filter(({ id }) => !isDoomed(entry, id)),
    wanted,
  );
  return { expected, unitsPerNode, count: sure.length, starting: sure };
};

/** As many of the instances, in their order, as it takes for so many units. */
const firstUnits = (
  instances: readonly GroupInstance[],
  units: number,
): readonly GroupInstance[] => {
  let left = units;
  return instances.filter((instance) => {
    const isWanted = left > 0;
    left -= unitsOf(instance);
    return isWanted;
  });
};

/** The desired capacity that brings so many more nodes than are on their way. */
export const sizeWith = (
  { expected, unitsPerNode }: Pick<Coming, 'expected' | 'unitsPerNode'>,
  nodes: number,
): number => expected + nodes * unitsPerNode;

/** How many more nodes fit below the group's maximum. */
export const roomForNodes = (
  { expected, unitsPerNode }: Pick<Coming, 'expected' | 'unitsPerNode'>,
  max: number,
): number => Math.max(Math.floor((max - expected) / unitsPerNode), 0);

/** Whether it was launched to replace one that ended, and is likely to end as well. */
const isDoomed = (entry: LedgerEntry | undefined, id: string): boolean =>
  entry?.backOff?.code === endedWhileStarting &&
  getOwn(entry.instances, id)?.givenUpAtMs !== undefined;

/** What the group is to grow to, as it says itself or as the ledger knows before it says so. */
export const expectedOf = (
  group: Pick<AutoScalingGroup, 'desired' | 'max'>,
  entry: Pick<LedgerEntry, 'to'> | undefined,
): number => Math.max(group.desired, Math.min(entry?.to ?? 0, group.max));

const leavingOrParked =
  /^(?:Terminating|Terminated|Detaching|Detached|EnteringStandby|Standby|Warmed)(?::|$)/;

/** Whether AWS counts the instance towards the group's desired capacity and means to keep it. */
export const counts = (instance: Pick<GroupInstance, 'lifecycleState'>): boolean =>
  !leavingOrParked.test(instance.lifecycleState);

const hasSettled = (instance: GroupInstance, question: ComingQuestion): boolean => {
  const seen = getOwn(question.entry?.instances ?? {}, instance.id);
  if (seen?.usableAtMs !== undefined) return true;
  const live = question.live.get(instance.id);
  if (live !== undefined && question.isUsable(live)) return true;
  const sinceMs = seen?.firstSeenMs ?? startOf(instance, live);
  return sinceMs !== undefined && hasPassed(question.startLimitSeconds, sinceMs, question.nowMs);
};

/**
 * The Node's creation, as the start of an instance of which nothing is remembered. Not of one that is
 * only now pending: out of a warm pool it may bring the Node of its last time in service.
 */
export const startOf = (
  instance: Pick<GroupInstance, 'lifecycleState'>,
  live: LiveNode | undefined,
): number | undefined =>
  instance.lifecycleState.startsWith('Pending') ? undefined : live?.node.createdAtMs;
