import type { DecisionRecord, DecisionSummary, Journal, JournalHead } from '#ports/journal.ts';
import { PortError } from '#ports/port-error.ts';
import type { MemoryClusterLeases } from './memory-cluster-leases.ts';

const summaryOf = (record: DecisionRecord): DecisionSummary => {
  const { id, cluster, atMs, mode, engineVersion, trigger, said } = record;
  return { id, cluster, atMs, mode, engineVersion, trigger, said };
};

interface Kept {
  readonly record: DecisionRecord;
  readonly fence: number;
}

/**
 * The journal in memory. A record written again under its id (a retry) takes its own place; no other holder
 * takes a number already used.
 */
export const memoryJournal = (leases: MemoryClusterLeases): Journal => {
  const records = new Map<string, Kept>();
  const heads = new Map<string, JournalHead>();
  return {
    head: async (cluster) => structuredClone(heads.get(cluster)),
    record: async (lease, record, head) => {
      leases.check(lease);
      if ((records.get(record.id)?.fence ?? lease.fence) !== lease.fence) {
        throw new PortError('conflict', `decision ${record.id} was recorded by another holder`);
      }
      records.set(record.id, { record: structuredClone(record), fence: lease.fence });
      heads.set(lease.cluster, structuredClone(head));
    },
    writeHead: async (lease, head) => {
      leases.check(lease);
      heads.set(lease.cluster, structuredClone(head));
    },
    list: async (cluster, limit) =>
      [...records.values()]
        .map(({ record }) => record)
        .filter((record) => record.cluster === cluster)
        .slice(-Math.max(limit, 1))
        .reverse()
        .slice(0, limit)
        .map(summaryOf),
    read: async (id) => {
      const kept = records.get(id);
      if (kept === undefined) throw new PortError('notFound', `there is no decision ${id}`);
      return structuredClone(kept.record);
    },
  };
};
