import { setOwn } from '#cluster/own-record.ts';
import type { LedgerEntry } from './ledger.ts';

/** The entry with one launch more for each of the pods. */
export const countLaunches = (entry: LedgerEntry, podUids: readonly string[]): LedgerEntry => {
  if (podUids.length === 0) return entry;
  const launchesFor: Record<string, number> = { ...entry.launchesFor };
  for (const uid of podUids) setOwn(launchesFor, uid, (launchesFor[uid] ?? 0) + 1);
  return { ...entry, launchesFor };
};
