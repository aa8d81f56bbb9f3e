import { describe, expect, it } from 'vitest';
import type { CapacityLedger } from '#ports/capacity-ledger.ts';
import type { ClusterLeases, Lease } from '#ports/cluster-leases.ts';
import type { LedgerEntry } from '#scaling/ledger.ts';
import { freshCluster } from './cluster-leases-contract.ts';

export interface LedgerAdapters {
  readonly leases: ClusterLeases;
  readonly ledger: CapacityLedger;
}

const nowMs = 1_700_000_000_000;
const ttlMs = 60_000;

export const takeLease = async (
  leases: ClusterLeases,
  cluster: string,
  owner: string,
  atMs = nowMs,
): Promise<Lease> => {
  const lease = await leases.acquire({ cluster, owner, nowMs: atMs, ttlMs });
  if (lease === undefined) throw new Error(`${owner} did not get the lease of ${cluster}`);
  return lease;
};

/** What every CapacityLedger does. */
export function describeCapacityLedgerContract(
  name: string,
  makeAdapters: () => LedgerAdapters | Promise<LedgerAdapters>,
): void {
  describe(`CapacityLedger: ${name}`, () => {
    const start = async () => {
      const { leases, ledger } = await makeAdapters();
      const cluster = freshCluster();
      return { leases, ledger, cluster, lease: await takeLease(leases, cluster, 'a') };
    };

    it('remembers a group of 6,000 instances', async () => {
      const { ledger, cluster, lease } = await start();
      const instances = Object.fromEntries(
        Array.from({ length: 6_000 }, (_, index) => [
          `i-${(index * 2_654_435_761).toString(16).padStart(17, '0')}`,
          { firstSeenMs: nowMs + index * 977, usableAtMs: nowMs + index * 1_009 },
        ]),
      );
      const entry: LedgerEntry = { group: 'large', generation: 1, instances };
      await ledger.write(lease, entry);
      expect(await ledger.read(cluster)).toEqual([entry]);
    });

    it('knows nothing of a cluster at first', async () => {
      const { ledger, cluster } = await start();
      expect(await ledger.read(cluster)).toEqual([]);
    });

    it('gives back exactly what was written, by group', async () => {
      const { ledger, cluster, lease } = await start();
      const full: LedgerEntry = {
        group: 'workers-ü',
        generation: 7,
        learned: {
          'm5.large': {
            image: 'ami-1',
            userData: '1f',
            capacity: { cpu: 2000, memory: 8_123_456_789, pods: 29 },
            allocatable: { cpu: 1930, memory: 7_123_456_789, 'hugepages-2Mi': 0, pods: 29 },
            from: 'node-1',
          },
        },
        to: 12,
        intent: {
          id: `${cluster}/workers/7`,
          from: 9,
          to: 12,
          atMs: nowMs + 0.25,
          decision: `${cluster}/scale-up/3`,
        },
        instances: {
          'i-1': { firstSeenMs: nowMs, usableAtMs: nowMs + 90_000 },
          'i-2': { firstSeenMs: nowMs + 1 },
        },
      };
      const small: LedgerEntry = { group: 'a/b#c', generation: 0, instances: {} };
      await ledger.write(lease, full);
      await ledger.write(lease, small);
      expect(await ledger.read(cluster)).toEqual([small, full]);
    });

    it('keeps the last word on a group', async () => {
      const { ledger, cluster, lease } = await start();
      await ledger.write(lease, { group: 'g', generation: 1, to: 4, instances: {} });
      await ledger.write(lease, { group: 'g', generation: 2, instances: {} });
      expect(await ledger.read(cluster)).toEqual([{ group: 'g', generation: 2, instances: {} }]);
    });

    it('forgets a group, also when it is told so twice', async () => {
      const { ledger, cluster, lease } = await start();
      await ledger.write(lease, { group: 'g', generation: 1, instances: {} });
      await ledger.write(lease, { group: 'h', generation: 1, instances: {} });
      await ledger.remove(lease, 'g');
      await ledger.remove(lease, 'g');
      expect((await ledger.read(cluster)).map((entry) => entry.group)).toEqual(['h']);
    });

    it('reads more than one answer can hold', async () => {
      const { ledger, cluster, lease } = await start();
      const instances = Object.fromEntries(
        Array.from({ length: 1_500 }, (_, index) => [`i-${index}`, { firstSeenMs: nowMs + index }]),
      );
      const groups = Array.from(
        { length: 40 },
        (_, index) => `g-${String(index).padStart(2, '0')}`,
      );
      for (const group of groups) await ledger.write(lease, { group, generation: 1, instances });
      const read = await ledger.read(cluster);
      expect(read.map((entry) => entry.group)).toEqual(groups);
      expect(read.at(-1)?.instances).toEqual(instances);
    });

    it('keeps clusters apart', async () => {
      const { leases, ledger, lease } = await start();
      const other = freshCluster();
      await ledger.write(lease, { group: 'g', generation: 1, instances: {} });
      await ledger.write(await takeLease(leases, other, 'b'), {
        group: 'g',
        generation: 5,
        instances: {},
      });
      expect(await ledger.read(lease.cluster)).toMatchObject([{ generation: 1 }]);
      expect(await ledger.read(other)).toMatchObject([{ generation: 5 }]);
    });

    it('refuses every write under a lease that somebody has taken since', async () => {
      const { leases, ledger, cluster, lease } = await start();
      await ledger.write(lease, { group: 'g', generation: 1, instances: {} });
      await takeLease(leases, cluster, 'b', nowMs + ttlMs + 1);
      const write = ledger.write(lease, { group: 'g', generation: 2, instances: {} });
      await expect(write).rejects.toMatchObject({ code: 'conflict', retryable: true });
      const first = ledger.write(lease, { group: 'new', generation: 1, instances: {} });
      await expect(first).rejects.toMatchObject({ code: 'conflict' });
      await expect(ledger.remove(lease, 'g')).rejects.toMatchObject({ code: 'conflict' });
      expect(await ledger.read(cluster)).toMatchObject([{ group: 'g', generation: 1 }]);
    });

    it('refuses a write under a lease that was given back', async () => {
      const { leases, ledger, cluster, lease } = await start();
      await leases.release(lease);
      const write = ledger.write(lease, { group: 'g', generation: 1, instances: {} });
      await expect(write).rejects.toMatchObject({ code: 'conflict' });
      expect(await ledger.read(cluster)).toEqual([]);
    });

    it('refuses a write under an older lease of the same owner', async () => {
      const { leases, ledger, cluster, lease } = await start();
      await takeLease(leases, cluster, 'a');
      const write = ledger.write(lease, { group: 'g', generation: 1, instances: {} });
      await expect(write).rejects.toMatchObject({ code: 'conflict' });
    });
  });
}
