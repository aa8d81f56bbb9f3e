import { compareText } from '#cluster/order.ts';
import { getOwn, setOwn } from '#cluster/own-record.ts';
import type { PodView } from '#cluster/snapshot.ts';
import type { LedgerEntry } from './ledger.ts';

/** So many pods of one group are remembered: a ledger item must stay well below DynamoDB's 400 KB. */
export const rememberedPods = 5000;

type Counts = Readonly<Record<string, number>>;

/**
 * The entry with one launch more for each of the pods: for whoever has just raised the group for them.
 * Beyond `rememberedPods` those with the most launches stay, then the first by UID.
 */
export const countLaunches = (entry: LedgerEntry, podUids: readonly string[]): LedgerEntry => {
  if (podUids.length === 0) return entry;
  const counts = new Map(Object.entries(entry.launchesFor ?? {}));
  for (const uid of new Set(podUids)) counts.set(uid, (counts.get(uid) ?? 0) + 1);
  const kept = [...counts]
    .sort(([a, one], [b, other]) => other - one || compareText(a, b))
    .slice(0, rememberedPods)
    .sort(([a], [b]) => compareText(a, b));
  return { ...entry, launchesFor: recordOf(kept) };
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

/** The entry without launches for pods that are gone or bound. */
export const forgetPods = (entry: LedgerEntry, waiting: ReadonlySet<string>): LedgerEntry => {
  const { launchesFor, ...rest } = entry;
  if (launchesFor === undefined) return entry;
  const all = Object.entries(launchesFor);
  const kept = all.filter(([uid]) => waiting.has(uid));
  if (kept.length === all.length) return entry;
  return kept.length === 0 ? rest : { ...rest, launchesFor: recordOf(kept) };
};

const recordOf = (counts: readonly (readonly [uid: string, count: number])[]): Counts => {
  const record: Record<string, number> = {};
  for (const [uid, count] of counts) setOwn(record, uid, count);
  return record;
};

/** Pods for which that many launches, of all groups together, brought no binding. */
export const podsLaunchedFor = (
  pods: readonly PodView[],
  ledger: readonly LedgerEntry[],
  limit: number,
): ReadonlySet<PodView> => {
  const counts = ledger.flatMap(({ launchesFor }): Counts[] =>
    launchesFor === undefined ? [] : [launchesFor],
  );
  if (counts.length === 0) return new Set();
  return new Set(
    pods.filter(
      ({ uid }) => counts.reduce((sum, count) => sum + (getOwn(count, uid) ?? 0), 0) >= limit,
    ),
  );
};
