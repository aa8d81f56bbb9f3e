import type { CapacityLedger } from '#ports/capacity-ledger.ts';
import type { LedgerEntry } from '#scaling/ledger.ts';
import type { MemoryClusterLeases } from './memory-cluster-leases.ts';

/** The ledger in memory; entries come back in order of their group's name. */
export const memoryCapacityLedger = (leases: MemoryClusterLeases): CapacityLedger => {
  const clusters = new Map<string, Map<string, LedgerEntry>>();
  return {
    read: async (cluster) => {
      const entries = [...(clusters.get(cluster)?.values() ?? [])];
      return structuredClone(entries.sort((a, b) => (a.group < b.group ? -1 : 1)));
    },
    write: async (lease, entry) => {
      leases.check(lease);
      const entries = clusters.get(lease.cluster) ?? new Map<string, LedgerEntry>();
      entries.set(entry.group, structuredClone(entry));
      clusters.set(lease.cluster, entries);
    },
    remove: async (lease, group) => {
      leases.check(lease);
      clusters.get(lease.cluster)?.delete(group);
    },
  };
};
