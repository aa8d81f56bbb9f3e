import type { CapacityLedger } from '#ports/capacity-ledger.ts';
import type { Clock } from '#ports/clock.ts';
import type { Lease } from '#ports/cluster-leases.ts';
import type { GroupCapacity, NodeGroups } from '#ports/node-groups.ts';
import { PortError } from '#ports/port-error.ts';
import type { CapacityIntent, LedgerEntry } from '#scaling/ledger.ts';
import { closeIntent } from './close-intent.ts';

export interface CapacityPorts {
  readonly clock: Clock;
  readonly nodeGroups: NodeGroups;
  readonly ledger: CapacityLedger;
}

export interface CapacityChange {
  readonly lease: Lease;
  readonly decision: string;
  readonly group: string;
  /** The ledger entry of the group, as last observed. */
  readonly entry: LedgerEntry | undefined;
  readonly from: number;
  readonly to: number;
  /** UIDs of the pods that a raise is for. */
  readonly pods?: readonly string[];
  /** The size to set by what the group is now; its present one where there is nothing to set. */
  readonly sizeFor: (capacity: GroupCapacity) => number;
}

export type ChangeResult =
  | { readonly status: 'set' | 'already'; readonly size: number }
  | { readonly status: 'gone' };

/** What must be left of the lease before an act that no fence protects: more than the call may take. */
const leaseMarginMs = 15_000;

/**
 * One change of a group's desired capacity: intent, fresh look, act, close. What throws on the way leaves
 * the intent open, for the next look to settle.
 */
export const changeCapacity = async (
  { clock, nodeGroups, ledger }: CapacityPorts,
  change: CapacityChange,
): Promise<ChangeResult> => {
  const { lease, group, from, to, decision } = change;
  const before = change.entry ?? { group, generation: 0, instances: {} };
  const generation = before.generation + 1;
  const entry: LedgerEntry = { ...before, generation };
  const intent: CapacityIntent = {
    id: `${lease.cluster}/${group}/${generation}`,
    from,
    to,
    ...(change.pods === undefined ? {} : { pods: change.pods }),
    atMs: clock.nowMs(),
    decision,
  };
  await ledger.write(lease, { ...entry, intent });
  const capacity = await nodeGroups.capacity(group);
  if (capacity === undefined) {
    await ledger.write(lease, entry);
    return { status: 'gone' };
  }
  const size = change.sizeFor(capacity);
  if (size !== capacity.desired) {
    if (clock.nowMs() > lease.expiresAtMs - leaseMarginMs) {
      throw new PortError('timeout', `the lease of ${lease.cluster} runs out: ${group} left as is`);
    }
    await nodeGroups.setDesiredCapacity(group, size);
  }
  const status = size === capacity.desired ? 'already' : 'set';
  // What was there already, though an old description did not show it, launches nothing more for the pods.
  const closing = status === 'set' ? intent : { ...intent, pods: [] };
  await ledger.write(lease, closeIntent(entry, closing, { size, nowMs: clock.nowMs() }));
  return { status, size };
};
