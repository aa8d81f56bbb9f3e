import { type ClusterLeases, type Lease, latestEndMs } from '#ports/cluster-leases.ts';
import { PortError } from '#ports/port-error.ts';

/** Leases in memory, with the check that every fenced write goes through. */
export interface MemoryClusterLeases extends ClusterLeases {
  /** Throws `conflict` where somebody took the lease since, or it was given back. */
  check(lease: Lease): void;
}

interface Item {
  readonly fence: number;
  readonly marks: number;
  readonly takenAtMs?: number;
  readonly doneAtMs?: number;
  readonly held?: { readonly owner: string; readonly expiresAtMs: number };
}

/**
 * The holder may take its own lease again, under a new fencing number. A lease that ran out still
 * counts until somebody takes it: nobody else has acted meanwhile.
 */
export const memoryClusterLeases = (): MemoryClusterLeases => {
  const items = new Map<string, Item>();
  const itemOf = (cluster: string): Item => items.get(cluster) ?? { fence: 0, marks: 0 };
  const isHeld = ({ cluster, owner, fence }: Lease): boolean => {
    const item = itemOf(cluster);
    return item.held?.owner === owner && item.fence === fence;
  };
  return {
    acquire: async ({ cluster, owner, nowMs, ttlMs }) => {
      const { held, ...item } = itemOf(cluster);
      const lasts = held !== undefined && held.expiresAtMs > nowMs;
      const isSound = held !== undefined && held.expiresAtMs <= latestEndMs({ nowMs, ttlMs });
      if (lasts && isSound && held.owner !== owner) return undefined;
      const fence = item.fence + 1;
      const expiresAtMs = nowMs + ttlMs;
      items.set(cluster, { ...item, fence, takenAtMs: nowMs, held: { owner, expiresAtMs } });
      return { cluster, owner, fence, expiresAtMs, marks: item.marks };
    },
    mark: async (cluster, nowMs) => {
      const item = itemOf(cluster);
      if (item.held === undefined || item.held.expiresAtMs <= nowMs) return undefined;
      const number = item.marks + 1;
      items.set(cluster, { ...item, marks: number });
      return { number, heldUntilMs: item.held.expiresAtMs };
    },
    release: async (lease) => {
      if (!isHeld(lease)) return { status: 'lost' };
      const { held: _, ...item } = itemOf(lease.cluster);
      if (item.marks !== lease.marks) return { status: 'marked', marks: item.marks };
      const { takenAtMs = lease.expiresAtMs } = item;
      items.set(lease.cluster, { ...item, marks: 0, doneAtMs: takenAtMs });
      return { status: 'released' };
    },
    abandon: async (lease) => {
      if (!isHeld(lease)) return;
      const { held: _, ...item } = itemOf(lease.cluster);
      items.set(lease.cluster, item);
    },
    read: async (cluster) => {
      const item = items.get(cluster);
      if (item === undefined) return undefined;
      const { held, ...rest } = item;
      return { ...rest, ...(held === undefined ? {} : { holder: held }) };
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
