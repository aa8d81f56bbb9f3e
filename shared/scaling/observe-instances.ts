import { counted } from '#cluster/counted.ts';
import { compareText } from '#cluster/order.ts';
import { getOwn, setOwn } from '#cluster/own-record.ts';
import { type GroupFailure, isBackedOff } from './back-off.ts';
import { counts, startOf } from './coming.ts';
import type { ScaleUpInput } from './decision.ts';
import type { TemplatedGroup } from './group-templates.ts';
import type { InstanceObservation, LedgerEntry } from './ledger.ts';
import { hasPassed, storedTime } from './stored-time.ts';

export interface InstancesSeen {
  readonly instances: Readonly<Record<string, InstanceObservation>>;
  /** What instances show of their group whose start limit was seen to have passed at this very look. */
  readonly failures: readonly GroupFailure[];
}

/**
 * When each counting instance was first seen, first usable, or found to have failed, and which failed
 * only now: each does so once. At the first look at a group nobody knows what those that have passed
 * their limit were before: their time is noted, and nothing is made of it.
 */
export const observeInstances = (
  { group, live, startLimitSeconds, lackOf }: TemplatedGroup,
  before: LedgerEntry | undefined,
  { nowMs }: Pick<ScaleUpInput, 'nowMs'>,
): InstancesSeen => {
  const givenUpAtMs = isBackedOff(before?.backOff, nowMs) ? before?.backOff?.atMs : undefined;
  const instances: Record<string, InstanceObservation> = {};
  const failed: { readonly id: string; readonly code: string; readonly message: string }[] = [];
  for (const instance of [...group.instances].sort((a, b) => compareText(a.id, b.id))) {
    if (!counts(instance)) continue;
    const node = live.get(instance.id);
    const lack =
      node === undefined
        ? { code: 'neverRegistered', message: 'no Node of the cluster claims to be it' }
        : lackOf(node);
    const known =
      getOwn(before?.instances ?? {}, instance.id) ?? getOwn(before?.gone ?? {}, instance.id);
    const startedMs = before === undefined ? startOf(instance, node) : undefined;
    const seen: InstanceObservation = known ?? {
      firstSeenMs: startedMs ?? nowMs,
      ...(givenUpAtMs === undefined ? {} : { givenUpAtMs }),
    };
    const isLate =
      lack !== undefined &&
      seen.usableAtMs === undefined &&
      seen.failedAtMs === undefined &&
      hasPassed(startLimitSeconds, seen.firstSeenMs, nowMs);
    if (isLate && before !== undefined) failed.push({ id: instance.id, ...lack });
    const limitMs = seen.firstSeenMs + startLimitSeconds * 1000;
    setOwn(
      instances,
      instance.id,
      asOf(nowMs, {
        ...seen,
        ...(lack === undefined && seen.usableAtMs === undefined ? { usableAtMs: nowMs } : {}),
        ...(isLate ? { failedAtMs: before === undefined ? limitMs : nowMs } : {}),
      }),
    );
  }
  const [first, ...others] = failed;
  if (first === undefined) return { instances, failures: [] };
  const { id, code, message } = first;
  const passed = `start limit of ${startLimitSeconds} s`;
  const text =
    others.length === 0
      ? `instance ${id} has passed its ${passed}: ${message}`
      : `${counted(failed.length, 'instance')} have passed their ${passed}; of ${id}: ${message}`;
  return { instances, failures: [{ atMs: nowMs, code, message: text }] };
};

/** Without times ahead of now. */
const asOf = (
  nowMs: number,
  { firstSeenMs, usableAtMs, failedAtMs, givenUpAtMs }: InstanceObservation,
): InstanceObservation => ({
  firstSeenMs: storedTime(firstSeenMs, nowMs),
  ...(usableAtMs === undefined ? {} : { usableAtMs: storedTime(usableAtMs, nowMs) }),
  ...(failedAtMs === undefined ? {} : { failedAtMs: storedTime(failedAtMs, nowMs) }),
  ...(givenUpAtMs === undefined ? {} : { givenUpAtMs: storedTime(givenUpAtMs, nowMs) }),
});
