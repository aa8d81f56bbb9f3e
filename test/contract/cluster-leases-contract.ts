import { describe, expect, it } from 'vitest';
import type { ClusterLeases } from '#ports/cluster-leases.ts';

let clusters = 0;
/** A cluster that no other test has used, also not on an emulator that lives longer. */
export const freshCluster = (): string => `contract-${process.pid}-${Date.now()}-${++clusters}`;

const nowMs = 1_700_000_000_000;
const ttlMs = 60_000;

/** What every ClusterLeases does. */
export function describeClusterLeasesContract(
  name: string,
  makeAdapter: () => ClusterLeases | Promise<ClusterLeases>,
): void {
  describe(`ClusterLeases: ${name}`, () => {
    const start = async () => {
      const leases = await makeAdapter();
      const cluster = freshCluster();
      const acquire = (owner: string, atMs = nowMs) =>
        leases.acquire({ cluster, owner, nowMs: atMs, ttlMs });
      const mustAcquire = async (owner: string, atMs = nowMs) => {
        const lease = await acquire(owner, atMs);
        if (lease === undefined) throw new Error(`${owner} did not get the lease`);
        return lease;
      };
      return { leases, cluster, acquire, mustAcquire };
    };

    it('gives a free lease to whoever asks, until its time to live has passed', async () => {
      const { cluster, acquire } = await start();
      expect(await acquire('a')).toEqual({
        cluster,
        owner: 'a',
        fence: expect.any(Number),
        expiresAtMs: nowMs + ttlMs,
        marks: 0,
      });
    });

    it('refuses a second owner while the first holds it', async () => {
      const { acquire } = await start();
      await acquire('a');
      expect(await acquire('b', nowMs + ttlMs - 1)).toBeUndefined();
    });

    it('gives it to exactly one of many who ask at once', async () => {
      const { acquire } = await start();
      const owners = Array.from({ length: 10 }, (_, index) => `owner-${index}`);
      const leases = await Promise.all(owners.map((owner) => acquire(owner)));
      expect(leases.filter((lease) => lease !== undefined)).toHaveLength(1);
    });

    it('gives one that ran out to another, under a larger fence', async () => {
      const { mustAcquire } = await start();
      const first = await mustAcquire('a');
      const second = await mustAcquire('b', nowMs + ttlMs + 1);
      expect(second.fence).toBeGreaterThan(first.fence);
    });

    it('gives it to its own holder again, under a larger fence', async () => {
      const { mustAcquire, acquire } = await start();
      const first = await mustAcquire('a');
      const again = await mustAcquire('a', nowMs + 1_000);
      expect(again.fence).toBeGreaterThan(first.fence);
      expect(again.expiresAtMs).toBe(nowMs + 1_000 + ttlMs);
      expect(await acquire('b', nowMs + ttlMs + 1)).toBeUndefined();
    });

    it('is free once it is given back, and its fence goes on growing', async () => {
      const { leases, mustAcquire } = await start();
      const first = await mustAcquire('a');
      await leases.release(first);
      const second = await mustAcquire('b');
      expect(second.fence).toBeGreaterThan(first.fence);
    });

    it('is not taken from its holder by somebody who held it before', async () => {
      const { leases, mustAcquire, acquire } = await start();
      const first = await mustAcquire('a');
      await mustAcquire('b', nowMs + ttlMs + 1);
      await leases.release(first);
      expect(await acquire('c', nowMs + ttlMs + 2)).toBeUndefined();
    });

    it('is not taken from its holder by an older lease of the same holder', async () => {
      const { leases, mustAcquire, acquire } = await start();
      const first = await mustAcquire('a');
      await mustAcquire('a');
      await leases.release(first);
      expect(await acquire('b')).toBeUndefined();
    });

    it('may be given back twice', async () => {
      const { leases, mustAcquire } = await start();
      const lease = await mustAcquire('a');
      expect(await leases.release(lease)).toEqual({ status: 'released' });
      expect(await leases.release(lease)).toEqual({ status: 'lost' });
    });

    it('keeps a lease that was marked since its look began, until a look has seen the mark', async () => {
      const { leases, cluster, acquire, mustAcquire } = await start();
      const lease = await mustAcquire('a');
      expect(await leases.mark(cluster, nowMs + 1)).toEqual({
        number: 1,
        heldUntilMs: nowMs + ttlMs,
      });
      expect(await leases.mark(cluster, nowMs + 2)).toMatchObject({ number: 2 });
      expect(await leases.release(lease)).toEqual({ status: 'marked', marks: 2 });
      expect(await acquire('b')).toBeUndefined();
      expect(await leases.release({ ...lease, marks: 1 })).toEqual({ status: 'marked', marks: 2 });
      expect(await leases.release({ ...lease, marks: 2 })).toEqual({ status: 'released' });
      expect(await mustAcquire('b')).toMatchObject({ marks: 0 });
    });

    it('takes no mark where nobody holds it or its time to live has passed', async () => {
      const { leases, cluster, mustAcquire } = await start();
      expect(await leases.mark(cluster, nowMs)).toBeUndefined();
      const lease = await mustAcquire('a');
      expect(await leases.mark(cluster, nowMs + ttlMs)).toBeUndefined();
      await leases.release(lease);
      expect(await leases.mark(cluster, nowMs + 1)).toBeUndefined();
    });

    it('hands the marks of a holder that died to the next one', async () => {
      const { leases, cluster, mustAcquire } = await start();
      const dead = await mustAcquire('a');
      await leases.mark(cluster, nowMs);
      const next = await mustAcquire('b', nowMs + ttlMs + 1);
      expect(next.marks).toBe(1);
      expect(await leases.release(dead)).toEqual({ status: 'lost' });
      expect(await leases.release(next)).toEqual({ status: 'released' });
      expect(await leases.read(cluster)).toEqual({
        fence: next.fence,
        marks: 0,
        takenAtMs: nowMs + ttlMs + 1,
        doneAtMs: nowMs + ttlMs + 1,
      });
    });

    it('can be abandoned with its marks, which the next holder finds', async () => {
      const { leases, cluster, mustAcquire } = await start();
      const lease = await mustAcquire('a');
      await leases.mark(cluster, nowMs);
      await leases.abandon(lease);
      expect(await leases.read(cluster)).toEqual({
        fence: lease.fence,
        marks: 1,
        takenAtMs: nowMs,
      });
      expect(await mustAcquire('b')).toMatchObject({ marks: 1 });
    });

    it('loses no mark of many left at once with a holder that gives it back', async () => {
      const { leases, cluster, mustAcquire } = await start();
      let lease = await mustAcquire('a');
      const marking = Array.from({ length: 10 }, () => leases.mark(cluster, nowMs));
      let looks = 1;
      let release = await leases.release(lease);
      while (release.status === 'marked') {
        looks += 1;
        lease = { ...lease, marks: release.marks };
        release = await leases.release(lease);
      }
      const left = (await Promise.all(marking)).filter((mark) => mark !== undefined);
      // Each mark taken was seen by a later look, and none stays behind.
      expect(left.length === 0 || looks > 1).toBe(true);
      expect(await leases.read(cluster)).toEqual({
        fence: lease.fence,
        marks: 0,
        takenAtMs: nowMs,
        doneAtMs: nowMs,
      });
    });

    it('is free where its end lies further ahead than any sound clock would have set it', async () => {
      const { mustAcquire, acquire } = await start();
      const dead = await mustAcquire('ahead', nowMs + 24 * 3_600_000);
      const next = await mustAcquire('b');
      expect(next.fence).toBeGreaterThan(dead.fence);
      // A clock that runs ahead by less than the time to live keeps its lease.
      const { acquire: other, mustAcquire: first } = await start();
      await first('ahead', nowMs + ttlMs - 1);
      expect(await other('b')).toBeUndefined();
      expect(await acquire('c')).toBeUndefined();
    });

    it('says who holds it', async () => {
      const { leases, cluster, mustAcquire } = await start();
      expect(await leases.read(cluster)).toBeUndefined();
      const { fence } = await mustAcquire('a');
      expect(await leases.read(cluster)).toEqual({
        fence,
        marks: 0,
        takenAtMs: nowMs,
        holder: { owner: 'a', expiresAtMs: nowMs + ttlMs },
      });
    });

    it('says when it was last taken, and when by somebody who came to their end', async () => {
      const { leases, cluster, mustAcquire } = await start();
      const times = async () => {
        const { takenAtMs, doneAtMs } = (await leases.read(cluster)) ?? {};
        return [takenAtMs, doneAtMs];
      };
      await leases.abandon(await mustAcquire('a', nowMs));
      expect(await times()).toEqual([nowMs, undefined]);
      await leases.release(await mustAcquire('b', nowMs + 1));
      expect(await times()).toEqual([nowMs + 1, nowMs + 1]);
      await leases.abandon(await mustAcquire('c', nowMs + 2));
      expect(await times()).toEqual([nowMs + 2, nowMs + 1]);
      const marked = await mustAcquire('d', nowMs + 3);
      await leases.mark(cluster, nowMs + 4);
      await leases.release(marked);
      expect(await times()).toEqual([nowMs + 3, nowMs + 1]);
    });

    it('holds one cluster and leaves the others alone', async () => {
      const { leases, mustAcquire } = await start();
      await mustAcquire('a');
      const other = { cluster: freshCluster(), owner: 'b', nowMs, ttlMs };
      expect(await leases.acquire(other)).toBeDefined();
    });
  });
}
