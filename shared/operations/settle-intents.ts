import type { CapacityLedger } from '#ports/capacity-ledger.ts';
import type { Clock } from '#ports/clock.ts';
import type { Lease } from '#ports/cluster-leases.ts';
import type { NodeGroups } from '#ports/node-groups.ts';
import type { LedgerEntry } from '#scaling/ledger.ts';

/**
 * Finishes or voids what an earlier invocation began and did not close: an intent whose desired
 * capacity is there is done; any other is voided, since its pods are planned again from what is true
 * now. Returns the ledger as it then stands.
 */
export const settleIntents = async (
  ports: {
    readonly clock: Clock;
    readonly nodeGroups: NodeGroups;
    readonly ledger: CapacityLedger;
  },
  lease: Lease,
  ledger: readonly LedgerEntry[],
): Promise<readonly LedgerEntry[]> =>
  Promise.all(
    ledger.map(async (entry) => {
      if (entry.intent === undefined) return entry;
      const { intent, ...closed } = entry;
      const capacity = await ports.nodeGroups.capacity(entry.group);
      const settled: LedgerEntry =
        capacity !== undefined && capacity.desired >= intent.to
          ? { ...closed, to: intent.to, toAtMs: ports.clock.nowMs() }
          : closed;
      await ports.ledger.write(lease, settled);
      return settled;
    }),
  );
