import type { CapacityLedger } from '#ports/capacity-ledger.ts';
import type { Lease } from '#ports/cluster-leases.ts';
import type { NodeGroups } from '#ports/node-groups.ts';
import type { LedgerChange } from '#scaling/observe-ledger.ts';

export interface Observed {
  readonly change: LedgerChange;
  /** Groups whose entry was written with an act on them. */
  readonly written: ReadonlySet<string>;
}

/**
 * Keeps what was observed. An entry of a group that was not found is dropped only if the group itself is
 * gone: unknown is not gone.
 */
export const writeObservations = async (
  ports: { readonly ledger: CapacityLedger; readonly nodeGroups: NodeGroups },
  lease: Lease,
  { change, written }: Observed,
): Promise<void> => {
  await Promise.all([
    ...change.changed
      .filter(({ group }) => !written.has(group))
      .map((entry) => ports.ledger.write(lease, entry)),
    ...change.removed.map(async (group) => {
      if ((await ports.nodeGroups.capacity(group)) === undefined) {
        await ports.ledger.remove(lease, group);
      }
    }),
  ]);
};
