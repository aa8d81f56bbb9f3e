import { compareText } from '#cluster/order.ts';
import { getOwn, setOwn } from '#cluster/own-record.ts';
import type { PodView } from '#cluster/snapshot.ts';
import { type LedgerEntry, newestComeUp } from './ledger.ts';
import { storedTime } from './stored-time.ts';

/** So many pods of one group are remembered: a ledger item must stay well below DynamoDB's 400 KB. */
export const rememberedPods = 5000;

type Counts = Readonly<Record<string, number>>;

/**
 * The entry with one launch more for each of the pods: for whoever has just raised the group for them,
 * having begun at `atMs`. A pod
 * whose last launch is still open has none more: that other pods took the room that was on its way for it,
 * so that the group was raised again, proves nothing of it.
 * Beyond `rememberedPods` those with the most launches stay, then the first by UID.
 */
export const countLaunches = (
  entry: LedgerEntry,
  podUids: readonly string[],
  atMs: number,
): LedgerEntry => {
  if (podUids.length === 0) return entry;
  const counts = new Map(Object.entries(entry.launchesFor ?? {}));
  const open = new Map(Object.entries(entry.openLaunches ?? {}));
  for (const uid of podUids) {
    if (open.has(uid)) continue;
    counts.set(uid, (counts.get(uid) ?? 0) + 1);
    open.set(uid, atMs);
  }
  const kept = [...counts]
    .sort(([a, one], [b, other]) => other - one || compareText(a, b))
    .slice(0, rememberedPods)
    .sort(([a], [b]) => compareText(a, b));
  const openLaunches = kept.flatMap(([uid]) => {
    const sinceMs = open.get(uid);
    return sinceMs === undefined ? [] : [[uid, sinceMs] as const];
  });
  return { ...entry, launchesFor: recordOf(kept), openLaunches: recordOf(openLaunches) };
};

/** UIDs of the pods that wait for a node; not looked for where no launch is remembered. */
export const waitingUids = (
  pods: readonly PodView[],
  ledger: readonly LedgerEntry[],
): ReadonlySet<string> =>
  ledger.every(({ launchesFor }) => launchesFor === undefined)
    ? new Set()
    : new Set(pods.filter(isWaiting).map(({ uid }) => uid));

const isWaiting = ({ nodeName, phase, deletedAtMs }: PodView): boolean =>
  nodeName === undefined && phase === 'Pending' && deletedAtMs === undefined;

/**
 * The entry, whose instances are those of this look, without launches for pods that are gone or bound. Of the
 * others a launch is no longer open once an instance first seen after it has come up.
 */
export const observeLaunches = (
  entry: LedgerEntry,
  waiting: ReadonlySet<string>,
  nowMs: number,
): LedgerEntry => {
  const { launchesFor, openLaunches, ...rest } = entry;
  const kept = keptOf(launchesFor, (uid) => waiting.has(uid));
  const comeUpMs = newestComeUp(entry);
  const open = keptOf(
    heldAt(openLaunches, nowMs),
    (uid, atMs) => waiting.has(uid) && atMs >= comeUpMs,
  );
  if (kept === launchesFor && open === openLaunches) return entry;
  return {
    ...rest,
    ...(kept === undefined ? {} : { launchesFor: kept }),
    ...(open === undefined ? {} : { openLaunches: open }),
  };
};

/** Those to keep: the very same record where all are kept, nothing where none is. */
const keptOf = (
  record: Counts | undefined,
  keep: (uid: string, value: number) => boolean,
): Counts | undefined => {
  const all = Object.entries(record ?? {});
  const kept = all.filter(([uid, value]) => keep(uid, value));
  if (kept.length === all.length && all.length > 0) return record;
  return kept.length === 0 ? undefined : recordOf(kept);
};

/** Without times ahead of now; the very same record where none is. */
const heldAt = (times: Counts | undefined, nowMs: number): Counts | undefined =>
  times !== undefined && Object.values(times).some((atMs) => atMs > nowMs)
    ? recordOf(Object.entries(times).map(([uid, atMs]) => [uid, storedTime(atMs, nowMs)]))
    : times;

const recordOf = (counts: readonly (readonly [uid: string, count: number])[]): Counts => {
  const record: Record<string, number> = {};
  for (const [uid, count] of counts) setOwn(record, uid, count);
  return record;
};

/**
 * Pods for which that many launches, of all groups together, brought no binding. One that is still open
 * may bring it yet.
 */
export const podsLaunchedFor = (
  pods: readonly PodView[],
  ledger: readonly LedgerEntry[],
  limit: number,
): ReadonlySet<PodView> => {
  const counted = ledger.filter(({ launchesFor }) => launchesFor !== undefined);
  if (counted.length === 0) return new Set();
  return new Set(
    pods.filter(
      ({ uid }) => counted.reduce((sum, entry) => sum + launchesInVain(entry, uid), 0) >= limit,
    ),
  );
};

const launchesInVain = ({ launchesFor, openLaunches }: LedgerEntry, uid: string): number =>
  (getOwn(launchesFor ?? {}, uid) ?? 0) - (getOwn(openLaunches ?? {}, uid) === undefined ? 0 : 1);
