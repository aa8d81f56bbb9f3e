import { counted } from '#cluster/counted.ts';
import { compareText } from '#cluster/order.ts';
import { formatTime } from '#cluster/time.ts';
import type { AutoScalingGroup, ScalingActivity } from './aws-views.ts';
import {
  afterFailure,
  type GroupFailure,
  isBackedOff,
  isForgotten,
  storedBackOff,
} from './back-off.ts';
import { countsUnits, unitsOfAll } from './capacity-units.ts';
import { counts, expectedOf } from './coming.ts';
import type { ScaleUpInput } from './decision.ts';
import { launchFailureOf } from './launch-failure.ts';
import { type BackOff, type LedgerEntry, newestComeUp } from './ledger.ts';
import { launchSuspended } from './node-template.ts';
import { defaultBackOffPolicy } from './policy.ts';
import { hasPassed, storedTime } from './stored-time.ts';

export interface BackOffQuestion {
  readonly group: AutoScalingGroup;
  readonly startLimitSeconds: number;
  /** The group's launches as AWS tells of them; empty where it was not asked. */
  readonly launches: readonly ScalingActivity[];
  /** What its instances show. */
  readonly failures: readonly GroupFailure[];
}

/**
 * The entry, whose instances are those of this look, with its back-off: ended by an instance that was
 * launched since and has come up, begun or prolonged by what failed after it; and with the time since
 * which AWS owes nodes, which is a failure of its own once the start limit has passed. A launch that
 * failed ends the count of launches for pods: a node that never came proves nothing of them.
 */
export const observeBackOff = (
  entry: LedgerEntry,
  { group, startLimitSeconds, launches, failures }: BackOffQuestion,
  { policy, nowMs }: Pick<ScaleUpInput, 'policy' | 'nowMs'>,
): LedgerEntry => {
  const rules = { policy: policy.backOff ?? defaultBackOffPolicy, nowMs };
  const before = remembered(entry.backOff, rules);
  const comeUpMs = newestComeUp(entry);
  const isOver = before !== undefined && comeUpMs > (before.notedMs ?? before.atMs);
  const open = isOver ? undefined : before;
  const refused = refusals(launches, nowMs);
  // Noted for good, since the instance that proves it may go while AWS still tells of the failure.
  const doneMs = storedTime(entry.provenMs ?? Number.NEGATIVE_INFINITY, nowMs);
  const isProven = isOver || refused.some(({ atMs }) => atMs > doneMs && atMs <= comeUpMs);
  const provenMs = isProven ? Math.max(doneMs, comeUpMs) : doneMs;
  const fresh = refused.filter(
    ({ atMs }) => atMs > provenMs && atMs > (open?.atMs ?? Number.NEGATIVE_INFINITY),
  );
  const known = remembered(
    [...fresh, ...failures].reduce<BackOff | undefined>(
      (backOff, failure) => afterFailure(backOff, failure, rules),
      open,
    ),
    rules,
  );
  const missing = missingOf(entry, { group, backOff: known, nowMs });
  const isOverdue = missing !== undefined && hasPassed(startLimitSeconds, missing.sinceMs, nowMs);
  const backOff = isOverdue
    ? afterFailure(known, launchesMissing(group, { ...missing, nowMs }), rules)
    : known;

  const { backOff: _, provenMs: _proven, missingSinceMs: _missing, ...observed } = entry;
  const hasFailed = backOff !== undefined && backOff !== open;
  const { launchesFor: _launches, openLaunches: _open, ...withoutLaunches } = observed;
  return {
    ...(hasFailed ? withoutLaunches : observed),
    ...(missing === undefined ? {} : { missingSinceMs: missing.sinceMs }),
    ...(backOff === undefined ? {} : { backOff }),
    ...(provenMs === Number.NEGATIVE_INFINITY ? {} : { provenMs }),
  };
};

type Rules = Parameters<typeof afterFailure>[2];

const remembered = (backOff: BackOff | undefined, { policy, nowMs }: Rules) => {
  const stored = backOff && storedBackOff(backOff, nowMs);
  return stored === undefined || isForgotten(stored, policy, nowMs) ? undefined : stored;
};

/** Launches that AWS itself failed for a reason that lies in the group, oldest first. */
const refusals = (launches: readonly ScalingActivity[], nowMs: number): readonly GroupFailure[] =>
  launches
    .filter(({ status }) => status === 'failed')
    .flatMap(({ id, startMs, endMs, message }) => {
      const failure = launchFailureOf(message);
      const atMs = storedTime(endMs ?? startMs, nowMs);
      return failure === undefined ? [] : [{ ...failure, id, atMs }];
    })
    .sort((a, b) => a.atMs - b.atMs || compareText(a.id, b.id));

interface Missing {
  /** In units of desired capacity: nodes, where they have no weights. */
  readonly units: number;
  readonly sinceMs: number;
}

/**
 * What AWS owes and since when. A launch proves that it launches, so the time starts anew, and so it does
 * at the end of a back-off, when what is owed counts as coming again; asking for more does not start it
 * anew, or a group that launches nothing could be raised for ever.
 */
const missingOf = (
  { missingSinceMs, instances, to }: LedgerEntry,
  {
    group,
    backOff,
    nowMs,
  }: {
    readonly group: AutoScalingGroup;
    readonly backOff: BackOff | undefined;
    readonly nowMs: number;
  },
): Missing | undefined => {
  const launched = Object.values(instances).map(({ firstSeenMs }) => firstSeenMs);
  const there = unitsOfAll(group.instances.filter(counts));
  const units = expectedOf(group, to === undefined ? undefined : { to }) - there;
  if (units <= 0 || launchSuspended(group)) return undefined;
  const endMs = backOff === undefined || isBackedOff(backOff, nowMs) ? 0 : backOff.untilMs;
  const sinceMs = Math.max(storedTime(missingSinceMs ?? nowMs, nowMs), endMs);
  return { units, sinceMs: launched.reduce((a, b) => Math.max(a, b), sinceMs) };
};

const launchesMissing = (
  group: AutoScalingGroup,
  { units, sinceMs, nowMs }: Missing & { readonly nowMs: number },
): GroupFailure => ({
  atMs: nowMs,
  code: 'launchesMissing',
  message: `AWS owes it ${countsUnits(group) ? counted(units, 'unit of capacity', 'units of capacity') : counted(units, 'node')} and has launched none since ${formatTime(sinceMs)}; see why with aws autoscaling describe-scaling-activities --auto-scaling-group-name ${group.name}`,
});
