import type { Lease } from '#ports/cluster-leases.ts';
import type { LedgerEntry } from '#scaling/ledger.ts';
import type { CapacityPorts } from './change-capacity.ts';
import { closeIntent } from './close-intent.ts';

/**
 * Finishes or voids what an earlier invocation began and did not close: an intent whose desired
 * capacity is there is done; any other is voided, since its pods are planned again from what is true
 * now. Returns the ledger as it then stands.
 */
export const settleIntents = async (
  { clock, nodeGroups, ledger }: CapacityPorts,
  lease: Lease,
  entries: readonly LedgerEntry[],
): Promise<readonly LedgerEntry[]> =>
  Promise.all(
    entries.map(async (entry) => {
      const { intent, ...voided } = entry;
      if (intent === undefined) return entry;
      const desired = (await nodeGroups.capacity(entry.group))?.desired;
      const isRaise = intent.to > intent.from;
      const done = desired !== undefined && (isRaise ? desired >= intent.to : desired <= intent.to);
      const settled = done
        ? closeIntent(entry, intent, { size: intent.to, nowMs: clock.nowMs() })
        : voided;
      await ledger.write(lease, settled);
      return settled;
    }),
  );
