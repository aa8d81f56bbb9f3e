import { compareText } from '#cluster/order.ts';
import type { LeaseView } from '#cluster/snapshot.ts';

/** By the name of their lease, which lies in the namespace that they were installed into. */
const scalers: ReadonlyMap<string, string> = new Map([
  ['cluster-autoscaler', 'Cluster Autoscaler'],
  ['karpenter-leader-election', 'Karpenter'],
]);

const defaultLeaseSeconds = 15;

/**
 * The other scaler that is at work in this cluster, as a sentence with the remedy, if there is one: its
 * leader election lease has a holder and was renewed less than two lease durations ago. Two scalers on
 * the same groups answer each pod twice.
 */
export const otherScalerAtWork = (
  leases: readonly LeaseView[],
  nowMs: number,
): string | undefined => {
  const [fresh] = leases
    .map((lease) => ({ lease, key: `${lease.namespace}/${lease.name}` }))
    .filter(({ lease }) => scalers.has(lease.name) && isFresh(lease, nowMs))
    .sort((a, b) => compareText(a.key, b.key));
  return (
    fresh &&
    `${scalers.get(fresh.lease.name)} is at work in this cluster (lease ${fresh.key}, held by ${fresh.lease.holder}): scale it to 0 replicas before Outrider adds nodes`
  );
};

const isFresh = (lease: LeaseView, nowMs: number): boolean =>
  lease.holder !== undefined &&
  lease.holder !== '' &&
  lease.renewedAtMs !== undefined &&
  lease.renewedAtMs + (lease.durationSeconds ?? defaultLeaseSeconds) * 2000 > nowMs;
