import type { ClusterLeases, Lease } from '#ports/cluster-leases.ts';
import { PortError } from '#ports/port-error.ts';

/** Leases in memory, with the check that every fenced write goes through. */
export interface MemoryClusterLeases extends ClusterLeases {
  /** Throws `conflict` where somebody took the lease since, or it was given back. */
  check(lease: Lease): void;
}

/**
 * The holder may take its own lease again, under a new fencing number. A lease that ran out still
 * counts until somebody takes it: nobody else has acted meanwhile.
 */
export const memoryClusterLeases = (): MemoryClusterLeases => {
  const items = new Map<string, { readonly fence: number; readonly held?: Lease }>();
  const isHeld = (lease: Lease): boolean => {
    const held = items.get(lease.cluster)?.held;
    return held !== undefined && held.fence === lease.fence && held.owner === lease.owner;
  };
  return {
    acquire: async ({ cluster, owner, nowMs, ttlMs }) => {
      const item = items.get(cluster);
      const held = item?.held;
      if (held !== undefined && held.owner !== owner && held.expiresAtMs > nowMs) return undefined;
      const fence = (item?.fence ?? 0) + 1;
      const lease: Lease = { cluster, owner, fence, expiresAtMs: nowMs + ttlMs };
      items.set(cluster, { fence, held: lease });
      return lease;
    },
    release: async (lease) => {
      if (isHeld(lease)) items.set(lease.cluster, { fence: lease.fence });
    },
    check: (lease) => {
      if (isHeld(lease)) return;
      throw new PortError(
        'conflict',
        `lease ${lease.fence} of ${lease.cluster} is outdated: somebody else may be acting`,
      );
    },
  };
};
