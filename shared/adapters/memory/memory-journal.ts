import type { DecisionRecord, DecisionSummary, Journal, JournalHead } from '#ports/journal.ts';
import { PortError } from '#ports/port-error.ts';
import type { MemoryClusterLeases } from './memory-cluster-leases.ts';

const summaryOf = (record: DecisionRecord): DecisionSummary => {
  const { id, cluster, atMs, mode, engineVersion, trigger, said } = record;
  return { id, cluster, atMs, mode, engineVersion, trigger, said };
};

/** The journal in memory. A record written again under its id (a retry) takes its own place. */
export const memoryJournal = (leases: MemoryClusterLeases): Journal => {
  const records = new Map<string, DecisionRecord>();
  const heads = new Map<string, JournalHead>();
  return {
    head: async (cluster) => structuredClone(heads.get(cluster)),
    record: async (lease, record, head) => {
      leases.check(lease);
      records.set(record.id, structuredClone(record));
      heads.set(lease.cluster, structuredClone(head));
    },
    writeHead: async (lease, head) => {
      leases.check(lease);
      heads.set(lease.cluster, structuredClone(head));
    },
    list: async (cluster, limit) =>
      [...records.values()]
        .filter((record) => record.cluster === cluster)
        .slice(-Math.max(limit, 1))
        .reverse()
        .slice(0, limit)
        .map(summaryOf),
    read: async (id) => {
      const record = records.get(id);
      if (record === undefined) throw new PortError('notFound', `there is no decision ${id}`);
      return structuredClone(record);
    },
  };
};
