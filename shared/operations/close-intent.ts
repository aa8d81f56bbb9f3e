import { countLaunches } from '#scaling/launches-for-pods.ts';
import type { CapacityIntent, LedgerEntry } from '#scaling/ledger.ts';

/**
 * The entry of a group once its intent has come true at `size`: a raise is expected to show, and counts as a
 * launch for its pods; after a taking back nothing more is expected.
 */
export const closeIntent = (
  entry: LedgerEntry,
  intent: CapacityIntent,
  at: { readonly size: number; readonly nowMs: number },
): LedgerEntry => {
  const { intent: _, to: _to, toAtMs: _toAtMs, ...closed } = entry;
  if (intent.to <= intent.from) return closed;
  return countLaunches(
    { ...closed, to: at.size, toAtMs: at.nowMs },
    intent.pods ?? [],
    intent.atMs,
  );
};
