import { describe, expect, it } from 'vitest';
import type { ClusterLeases } from '#ports/cluster-leases.ts';
import type { DecisionRecord, Journal, JournalHead } from '#ports/journal.ts';
import { defaultScalingPolicy } from '#scaling/policy.ts';
import { takeLease } from './capacity-ledger-contract.ts';
import { freshCluster } from './cluster-leases-contract.ts';

export interface JournalAdapters {
  readonly leases: ClusterLeases;
  readonly journal: Journal;
}

const nowMs = 1_700_000_000_000;

const recordOf = (cluster: string, generation: number, said = 'nothing to do'): DecisionRecord => ({
  id: `${cluster}/scale-up/${generation}`,
  cluster,
  atMs: nowMs + generation,
  mode: 'observe',
  engineVersion: '0.1.0',
  trigger: 'sweep',
  said,
  problems: [{ field: 'pods[default/ä]', code: 'quantity', message: `"1€" (${said})` }],
  input: {
    cluster,
    snapshot: { nodes: [], pods: [], daemonSets: [], leases: [] },
    nodeGroups: { region: 'eu-central-1', groups: [], launchTemplates: [], instanceTypes: [] },
    ledger: [],
    policy: defaultScalingPolicy,
    nowMs: nowMs + generation,
  },
  decision: {
    scaleUps: [{ group: 'g', from: 1, to: 2, pods: ['default/ä'], reason: said }],
    takeBacks: [],
    fits: [],
    stuck: [],
    ignored: [],
    blockedGroups: [],
    alerts: [],
    problems: [],
  },
});

const headOf = (generation: number, told: JournalHead['told'] = {}): JournalHead => ({
  generation,
  digest: `digest-${generation}`,
  told,
});

const summaryOf = ({ input: _1, decision: _2, problems: _3, ...summary }: DecisionRecord) =>
  summary;

/** What every Journal does. */
export function describeJournalContract(
  name: string,
  makeAdapters: () => JournalAdapters | Promise<JournalAdapters>,
): void {
  describe(`Journal: ${name}`, () => {
    const start = async () => {
      const { leases, journal } = await makeAdapters();
      const cluster = freshCluster();
      return { leases, journal, cluster, lease: await takeLease(leases, cluster, 'a') };
    };

    it('has said nothing of a cluster at first', async () => {
      const { journal, cluster } = await start();
      expect(await journal.head(cluster)).toBeUndefined();
      expect(await journal.list(cluster, 10)).toEqual([]);
    });

    it('gives a record back byte for byte, and moves the head with it', async () => {
      const { journal, cluster, lease } = await start();
      const record = recordOf(cluster, 1);
      const head = headOf(1, { 'uid-1': { digest: 'd', atMs: nowMs } });
      await journal.record(lease, record, head);
      const read = await journal.read(record.id);
      expect(read).toEqual(record);
      expect(JSON.stringify(read.input)).toBe(JSON.stringify(record.input));
      expect(JSON.stringify(read.decision)).toBe(JSON.stringify(record.decision));
      expect(await journal.head(cluster)).toEqual(head);
    });

    it('lists summaries, newest first, as many as asked for', async () => {
      const { journal, cluster, lease } = await start();
      const records = Array.from({ length: 11 }, (_, index) => recordOf(cluster, index + 1));
      for (const [index, record] of records.entries()) {
        await journal.record(lease, record, headOf(index + 1));
      }
      const newestFirst = records.toReversed().map(summaryOf);
      expect(await journal.list(cluster, 100)).toEqual(newestFirst);
      expect(await journal.list(cluster, 3)).toEqual(newestFirst.slice(0, 3));
      expect(await journal.list(cluster, 0)).toEqual([]);
      expect(await journal.list(freshCluster(), 3)).toEqual([]);
    });

    it('keeps one record where the same is recorded twice', async () => {
      const { journal, cluster, lease } = await start();
      await journal.record(lease, recordOf(cluster, 1), headOf(1));
      await journal.record(lease, recordOf(cluster, 1), headOf(1));
      expect(await journal.list(cluster, 10)).toEqual([summaryOf(recordOf(cluster, 1))]);
      expect(await journal.read(`${cluster}/scale-up/1`)).toEqual(recordOf(cluster, 1));
    });

    it('lets no later holder record under a number already used', async () => {
      const { leases, journal, cluster, lease } = await start();
      await journal.record(lease, recordOf(cluster, 1), headOf(1));
      await leases.release(lease);
      const successor = await takeLease(leases, cluster, 'b');
      const again = journal.record(successor, recordOf(cluster, 1, 'said by b'), headOf(1));
      await expect(again).rejects.toMatchObject({ code: 'conflict' });
      expect(await journal.read(`${cluster}/scale-up/1`)).toEqual(recordOf(cluster, 1));
    });

    it('moves the head alone', async () => {
      const { journal, cluster, lease } = await start();
      await journal.record(lease, recordOf(cluster, 1), headOf(1));
      const told = { 'uid-1': { digest: 'd', atMs: nowMs }, 'uid-2': { digest: 'e', atMs: 2 } };
      await journal.writeHead(lease, headOf(1, told));
      expect(await journal.head(cluster)).toEqual(headOf(1, told));
      expect(await journal.list(cluster, 10)).toHaveLength(1);
    });

    it('keeps all that a head says: how far telling came, what was paged, whether all was quiet', async () => {
      const { journal, cluster, lease } = await start();
      const head: JournalHead = {
        ...headOf(1, { 'uid-1': { digest: 'd', atMs: nowMs } }),
        toldUpTo: 'uid-1',
        paged: { 'group-launches-fail/group g': nowMs },
        quiet: true,
      };
      await journal.record(lease, recordOf(cluster, 1), head);
      // Compared as text by the look that may have to write it again.
      expect(JSON.stringify(await journal.head(cluster))).toBe(JSON.stringify(head));
      await journal.writeHead(lease, headOf(1));
      expect(await journal.head(cluster)).toEqual(headOf(1));
    });

    it('throws notFound for a decision that was never taken', async () => {
      const { journal, cluster, lease } = await start();
      await journal.record(lease, recordOf(cluster, 1), headOf(1));
      for (const id of [`${cluster}/scale-up/2`, `${cluster}/scale-up/x`, 'x', '']) {
        await expect(journal.read(id)).rejects.toMatchObject({ code: 'notFound' });
      }
    });

    it('refuses an outdated lease, and leaves what its successor recorded as it was', async () => {
      const { leases, journal, cluster, lease } = await start();
      const successor = await takeLease(leases, cluster, 'b', nowMs + 60_001);
      const kept = recordOf(cluster, 1, 'said by b');
      await journal.record(successor, kept, headOf(1));
      const late = journal.record(lease, recordOf(cluster, 1, 'said by a'), headOf(9));
      await expect(late).rejects.toMatchObject({ code: 'conflict' });
      await expect(journal.writeHead(lease, headOf(9))).rejects.toMatchObject({ code: 'conflict' });
      expect(await journal.head(cluster)).toEqual(headOf(1));
      expect(await journal.read(kept.id)).toEqual(kept);
      expect(await journal.list(cluster, 10)).toEqual([summaryOf(kept)]);
    });
  });
}
