import { counted } from '#cluster/counted.ts';
import { formatTime } from '#cluster/time.ts';
import type { Reason } from './decision.ts';
import type { BackOff } from './ledger.ts';
import type { BackOffPolicy } from './policy.ts';

/** One launch of a group that failed, or what shows that one must have. */
export interface GroupFailure {
  readonly atMs: number;
  readonly code: string;
  readonly message: string;
}

/** The code of instances that end, again and again, before they are of use. */
export const endedWhileStarting = 'endedWhileStarting';

/** Whether the group is left alone now. At the very end of its back-off it no longer is. */
export const isBackedOff = (backOff: BackOff | undefined, nowMs: number): boolean =>
  backOff !== undefined && nowMs < storedBackOff(backOff, nowMs).untilMs;

/**
 * A remembered back-off as this look may use it: one that began ahead of now was written before the clock
 * was set back, and counts as begun now. Otherwise it would last until the clock catches up.
 */
export const storedBackOff = (backOff: BackOff, nowMs: number): BackOff => {
  const aheadMs = Math.max(backOff.atMs - nowMs, 0);
  return aheadMs === 0
    ? backOff
    : {
        ...backOff,
        atMs: nowMs,
        untilMs: backOff.untilMs - aheadMs,
        sinceMs: Math.min(backOff.sinceMs ?? nowMs, nowMs),
        notedMs: nowMs,
      };
};

/** Whether so long has passed since its end that nothing is remembered of it. */
export const isForgotten = (backOff: BackOff, policy: BackOffPolicy, atMs: number): boolean =>
  atMs > backOff.untilMs + policy.resetSeconds * 1000;

/**
 * The back-off after one more failure. A failure that falls into it changes nothing: what it is about is
 * known. One after its end doubles it, since the cause has not gone. (Cluster Autoscaler's
 * `exponential_backoff.go`, which lets a failure within it begin it anew; here AWS itself goes on trying
 * what it owes, and would never let it end.)
 */
export const afterFailure = (
  before: BackOff | undefined,
  failure: GroupFailure,
  { policy, nowMs }: { readonly policy: BackOffPolicy; readonly nowMs: number },
): BackOff => {
  if (before !== undefined && failure.atMs <= before.untilMs) return before;
  const known =
    before === undefined || isForgotten(before, policy, failure.atMs) ? undefined : before;
  const failures = (known?.failures ?? 0) + 1;
  const seconds = Math.min(
    policy.initialSeconds * 2 ** Math.min(failures - 1, 30),
    policy.maxSeconds,
  );
  return {
    failures,
    sinceMs: known?.sinceMs ?? known?.atMs ?? failure.atMs,
    atMs: failure.atMs,
    notedMs: nowMs,
    untilMs: failure.atMs + seconds * 1000,
    code: failure.code,
    message: failure.message,
  };
};

/** Why a backed-off group is not raised, for whoever reads it at night. */
export const backedOffReason = (group: string, backOff: BackOff): Reason => ({
  group,
  code: 'backedOff',
  message: `it is left alone until ${formatTime(backOff.untilMs)} after ${counted(backOff.failures, 'failure')} in a row, the last at ${formatTime(backOff.atMs)} (${backOff.code}: ${backOff.message}): nothing is asked of it till then, what AWS owes it is not counted on, and pods are planned on other groups`,
});
