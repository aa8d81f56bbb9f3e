import type { Lease } from '#ports/cluster-leases.ts';
import type { ScaleUp, TakeBack } from '#scaling/decision.ts';
import { rememberedPods } from '#scaling/launches-for-pods.ts';
import type { LedgerEntry } from '#scaling/ledger.ts';
import { mayTakeBack } from '#scaling/take-back.ts';
import { type CapacityPorts, changeCapacity } from './change-capacity.ts';
import { type Failure, failureOf } from './failure.ts';

export interface SizeRequest {
  readonly lease: Lease;
  readonly decision: string;
  readonly scaleUps: readonly ScaleUp[];
  readonly takeBacks: readonly TakeBack[];
  /** The ledger entry of each group named, as last observed. */
  readonly entries: ReadonlyMap<string, LedgerEntry>;
  /** By `namespace/name`. */
  readonly podUids: ReadonlyMap<string, string>;
}

export type SizeResult =
  | {
      readonly group: string;
      readonly status: 'raised' | 'already' | 'takenBack' | 'notTakenBack';
      readonly to: number;
    }
  | { readonly group: string; readonly status: 'gone' }
  | { readonly group: string; readonly status: 'failed'; readonly failure: Failure };

/**
 * Sets each group to its planned size, one act for each group. A raise never lowers, and a taking back
 * never goes below the instances there are, by what the group is right before the act; one group's
 * failure leaves its intent open, for the next look to settle, and does not touch the others.
 */
export const sizeGroups = async (
  ports: CapacityPorts,
  request: SizeRequest,
): Promise<readonly SizeResult[]> => {
  const failing = async (group: string, act: () => Promise<SizeResult>): Promise<SizeResult> => {
    try {
      return await act();
    } catch (thrown) {
      return { group, status: 'failed', failure: failureOf(thrown) };
    }
  };
  return Promise.all([
    ...request.scaleUps.map((plan) => failing(plan.group, () => raise(ports, request, plan))),
    ...request.takeBacks.map((plan) => failing(plan.group, () => takeBack(ports, request, plan))),
  ]);
};

const raise = async (
  ports: CapacityPorts,
  { lease, decision, entries, podUids }: SizeRequest,
  { group, from, to, pods }: ScaleUp,
): Promise<SizeResult> => {
  const change = await changeCapacity(ports, {
    lease,
    decision,
    group,
    entry: entries.get(group),
    from,
    to,
    pods: pods.flatMap((pod) => podUids.get(pod) ?? []).slice(0, rememberedPods),
    // The maximum may have been lowered since the decision was made.
    sizeFor: ({ desired, max }) => Math.max(desired, Math.min(to, max)),
  });
  if (change.status === 'gone') return { group, status: 'gone' };
  return { group, status: change.status === 'set' ? 'raised' : 'already', to: change.size };
};

const takeBack = async (
  ports: CapacityPorts,
  { lease, decision, entries }: SizeRequest,
  { group, from, to }: TakeBack,
): Promise<SizeResult> => {
  const change = await changeCapacity(ports, {
    lease,
    decision,
    group,
    entry: entries.get(group),
    from,
    to,
    sizeFor: (capacity) => {
      // Somebody has set another size since: theirs stands.
      if (capacity.desired !== from) return capacity.desired;
      const allowed = mayTakeBack(capacity);
      // Instances may have come, and their protection may have gone, since the decision was made.
      return 'to' in allowed
        ? Math.min(capacity.desired, Math.max(to, allowed.to))
        : capacity.desired;
    },
  });
  if (change.status === 'gone') return { group, status: 'gone' };
  const { status, size } = change;
  return { group, status: status === 'set' ? 'takenBack' : 'notTakenBack', to: size };
};
