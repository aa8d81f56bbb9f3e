import { counted } from '#cluster/counted.ts';
import { compareText } from '#cluster/order.ts';
import { getOwn, setOwn } from '#cluster/own-record.ts';
import type { AutoScalingGroup } from './aws-views.ts';
import { endedWhileStarting, type GroupFailure } from './back-off.ts';
import { unitsOf } from './capacity-units.ts';
import { counts } from './coming.ts';
import type { GoneInstance, InstanceObservation, LedgerEntry } from './ledger.ts';
import { launchSuspended } from './node-template.ts';
import { hasPassed, storedTime } from './stored-time.ts';
import { isStarting } from './under-way.ts';

export interface EndingsSeen {
  /** Those of which this look cannot tell; absent where there are none. */
  readonly gone?: Readonly<Record<string, GoneInstance>>;
  /** What instances show of their group that were found to have ended at this very look. */
  readonly failures: readonly GroupFailure[];
}

/**
 * So long a starting instance must be missing before it counts as ended: DescribeAutoScalingGroups is only
 * eventually consistent and may leave out a new one for some seconds. Less than the minute between two sweeps.
 */
const goneSeconds = 30;

/**
 * Instances that ended by themselves, or that Auto Scaling replaced, before they were usable: user data that
 * powers off, a health check that fails. Each is a failure of its group once. It is seen to terminate, or it
 * is missing for so long that no old description is why. None that had failed already; none that is parked
 * or detached; none where fewer are wanted than there were (somebody lowered the group, and scale-in chose it) or
 * where Launch is suspended (somebody is at work on it).
 */
export const observeEndings = (
  group: AutoScalingGroup,
  before: LedgerEntry,
  nowMs: number,
): EndingsSeen => {
  const now = new Map(group.instances.map((instance) => [instance.id, instance]));
  const gone: Record<string, GoneInstance> = {};
  const ended: (readonly [id: string, livedMs: number])[] = [];
  for (const [id, seen] of startingBefore(before, group)) {
    const instance = now.get(id);
    const goneSinceMs = storedTime(getOwn(before.gone ?? {}, id)?.goneSinceMs ?? nowMs, nowMs);
    const firstSeenMs = storedTime(seen.firstSeenMs, goneSinceMs);
    if (instance === undefined && !hasPassed(goneSeconds, goneSinceMs, nowMs)) {
      setOwn(gone, id, { ...seen, firstSeenMs, goneSinceMs });
    } else if (instance === undefined || isTerminating.test(instance.lifecycleState)) {
      ended.push([id, goneSinceMs - firstSeenMs]);
    }
  }
  return {
    ...(Object.keys(gone).length === 0 ? {} : { gone }),
    failures: ended.length === 0 ? [] : [failureOf(group.name, ended, nowMs)],
  };
};

const isTerminating = /^(?:Terminating|Terminated)(?::|$)/;

/** Of the instances that do not count now, those that were starting and that the group still wants. */
const startingBefore = (
  before: LedgerEntry,
  group: AutoScalingGroup,
): readonly (readonly [id: string, seen: InstanceObservation])[] => {
  if (launchSuspended(group)) return [];
  const counting = new Set(group.instances.filter(counts).map(({ id }) => id));
  const had = Object.entries(before.instances);
  const lightest = Math.min(...group.overrides.map(unitsOf), ...group.instances.map(unitsOf));
  const least = had.length * (Number.isFinite(lightest) ? lightest : 1);
  const wanted = group.desired >= least ? had : [];
  return [...wanted, ...Object.entries(before.gone ?? {})]
    .filter(([id]) => !counting.has(id))
    .filter(([, seen]) => isStarting(seen))
    .sort(([a], [b]) => compareText(a, b));
};

const failureOf = (
  group: string,
  ended: readonly (readonly [id: string, livedMs: number])[],
  nowMs: number,
): GroupFailure => {
  const [[id, livedMs] = ['', 0]] = ended;
  const seconds = `${Math.ceil(livedMs / 1000)} s after it was first seen`;
  const text =
    ended.length === 1
      ? `instance ${id} was gone ${seconds}, before its Node was usable`
      : `${counted(ended.length, 'instance')} were gone before their Nodes were usable; ${id} was ${seconds}`;
  return {
    atMs: nowMs,
    code: endedWhileStarting,
    message: `${text}: its user data may power it off, or a health check fails; see aws autoscaling describe-scaling-activities --auto-scaling-group-name ${group} and, for an hour, aws ec2 get-console-output --instance-id ${id}`,
  };
};
