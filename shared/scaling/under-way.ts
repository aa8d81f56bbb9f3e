import type { CapacityIntent, InstanceObservation, LedgerEntry } from './ledger.ts';

/** Something of a group that was begun and is not finished, and since when. */
export type UnderWay =
  /** A change of desired capacity that is not known to have been done or voided. */
  | {
      readonly kind: 'raise' | 'takeBack';
      readonly sinceMs: number;
      readonly intent: CapacityIntent;
    }
  /** A confirmed raise that the group does not say yet. */
  | { readonly kind: 'confirmed'; readonly sinceMs?: number }
  /** AWS owes instances. */
  | { readonly kind: 'launch'; readonly sinceMs: number }
  /** An instance that has neither come up nor failed. */
  | { readonly kind: 'start'; readonly sinceMs: number; readonly instance: string };

/** All that the ledger knows to be under way in one group; empty where nothing is. */
export const underWay = (entry: LedgerEntry): readonly UnderWay[] => {
  const { intent, to, toAtMs, missingSinceMs } = entry;
  const found: UnderWay[] = [];
  if (intent !== undefined) {
    const kind = intent.to > intent.from ? 'raise' : 'takeBack';
    found.push({ kind, sinceMs: intent.atMs, intent });
  }
  if (to !== undefined) {
    found.push({ kind: 'confirmed', ...(toAtMs === undefined ? {} : { sinceMs: toAtMs }) });
  }
  if (missingSinceMs !== undefined) found.push({ kind: 'launch', sinceMs: missingSinceMs });
  for (const [instance, seen] of Object.entries(entry.instances)) {
    if (isStarting(seen)) found.push({ kind: 'start', sinceMs: seen.firstSeenMs, instance });
  }
  return found;
};

/** Whether an instance has neither come up nor failed. */
export const isStarting = ({ usableAtMs, failedAtMs }: InstanceObservation): boolean =>
  usableAtMs === undefined && failedAtMs === undefined;
