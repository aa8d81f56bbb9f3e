import type { CapacityLedger } from '#ports/capacity-ledger.ts';
import type { Clock } from '#ports/clock.ts';
import type { Lease } from '#ports/cluster-leases.ts';
import type { NodeGroups } from '#ports/node-groups.ts';
import { PortError } from '#ports/port-error.ts';
import type { ScaleUp } from '#scaling/decision.ts';
import type { LedgerEntry } from '#scaling/ledger.ts';
import { type Failure, failureOf } from './failure.ts';

export interface RaisePorts {
  readonly clock: Clock;
  readonly nodeGroups: NodeGroups;
  readonly ledger: CapacityLedger;
}

export interface RaiseRequest {
  readonly lease: Lease;
  readonly decision: string;
  readonly scaleUps: readonly ScaleUp[];
  /** The ledger entry of each group named, as last observed. */
  readonly entries: ReadonlyMap<string, LedgerEntry>;
}

export type RaiseResult =
  | { readonly group: string; readonly status: 'raised' | 'already'; readonly to: number }
  | { readonly group: string; readonly status: 'gone' }
  | { readonly group: string; readonly status: 'failed'; readonly failure: Failure };

/** What must be left of the lease before an act that no fence protects: more than the call may take. */
const leaseMarginMs = 15_000;

/**
 * Raises each group to its planned size: intent, fresh look, act, close. A raise never lowers; one
 * group's failure leaves its intent open, for the next look to settle, and does not touch the others.
 */
export const raiseGroups = async (
  ports: RaisePorts,
  request: RaiseRequest,
): Promise<readonly RaiseResult[]> =>
  Promise.all(
    request.scaleUps.map(async (scaleUp): Promise<RaiseResult> => {
      try {
        return await raiseGroup(ports, request, scaleUp);
      } catch (thrown) {
        return { group: scaleUp.group, status: 'failed', failure: failureOf(thrown) };
      }
    }),
  );

const raiseGroup = async (
  ports: RaisePorts,
  request: RaiseRequest,
  scaleUp: ScaleUp,
): Promise<RaiseResult> => {
  const { group } = scaleUp;
  const { lease } = request;
  const before = request.entries.get(group) ?? { group, generation: 0, instances: {} };
  const generation = before.generation + 1;
  const atMs = ports.clock.nowMs();
  const entry: LedgerEntry = { ...before, generation };
  await ports.ledger.write(lease, {
    ...entry,
    intent: {
      id: `${lease.cluster}/${group}/${generation}`,
      from: scaleUp.from,
      to: scaleUp.to,
      atMs,
      decision: request.decision,
    },
  });
  const capacity = await ports.nodeGroups.capacity(group);
  if (capacity === undefined) {
    await ports.ledger.write(lease, entry);
    return { group, status: 'gone' };
  }
  // The maximum may have been lowered since the decision was made.
  const to = Math.min(scaleUp.to, capacity.max);
  if (capacity.desired < to) {
    if (ports.clock.nowMs() > lease.expiresAtMs - leaseMarginMs) {
      throw new PortError('timeout', `the lease of ${lease.cluster} runs out: ${group} not raised`);
    }
    await ports.nodeGroups.setDesiredCapacity(group, to);
  }
  await ports.ledger.write(lease, { ...entry, to, toAtMs: ports.clock.nowMs() });
  return { group, status: capacity.desired < to ? 'raised' : 'already', to };
};
