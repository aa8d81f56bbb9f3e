import { describe, expect, it } from 'vitest';
import { memoryClusterLeases } from '#adapters/memory/memory-cluster-leases.ts';
import { lastLookOf } from '#operations/last-look.ts';

const startMs = 1_700_000_000_000;

const setUp = () => {
  const leases = memoryClusterLeases();
  return {
    leases,
    take: async (nowMs: number) => {
      const lease = await leases.acquire({ cluster: 'demo', owner: 'a', nowMs, ttlMs: 60_000 });
      if (lease === undefined) throw new Error('the lease is held');
      return lease;
    },
    look: async (nowMs: number) => lastLookOf(await leases.read('demo'), nowMs),
  };
};

describe('the last look at a cluster', () => {
  it('is not known where nobody has taken its lease, or no version that tells', async () => {
    const { look } = setUp();
    expect(await look(startMs)).toBeUndefined();
    expect(lastLookOf({ fence: 7, marks: 0 }, startMs)).toBeUndefined();
  });

  it('runs while the lease is held, and has failed once that ran out', async () => {
    const { take, look } = setUp();
    await take(startMs);
    expect(await look(startMs + 59_999)).toEqual({ atMs: startMs, result: 'running' });
    expect(await look(startMs + 60_000)).toEqual({ atMs: startMs, result: 'failed' });
  });

  it('is done once the lease is given back, and failed where it was given up', async () => {
    const { leases, take, look } = setUp();
    await leases.release(await take(startMs));
    expect(await look(startMs + 5)).toEqual({ atMs: startMs, result: 'done' });
    await leases.abandon(await take(startMs + 10));
    expect(await look(startMs + 15)).toEqual({ atMs: startMs + 10, result: 'failed' });
  });
});
