import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryWakeups } from '#adapters/memory/memory-wakeups.ts';
import { sweep } from '#operations/sweep.ts';

const clustersOf = (count: number) => Array.from({ length: count }, (_, index) => `c-${index}`);

const swept = async (count: number) => {
  const wakeups = memoryWakeups();
  await sweep(wakeups, clustersOf(count));
  return wakeups.take();
};

describe('a sweep', () => {
  it('has a few clusters looked at without delay', async () => {
    expect(await swept(3)).toEqual(
      clustersOf(3).map((cluster) => ({ cluster, afterSeconds: 0, because: 'sweep', step: 1 })),
    );
  });

  it('has a thousand looked at within fifty seconds, twenty at a time', async () => {
    const looks = await swept(1000);
    const bySecond = Map.groupBy(looks, ({ afterSeconds }) => afterSeconds);
    expect([...bySecond.keys()]).toEqual(Array.from({ length: 50 }, (_, second) => second));
    expect([...bySecond.values()].every(({ length }) => length === 20)).toBe(true);
  });

  it('names each cluster once, and ends before the next sweep', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 5000 }), async (count) => {
        const looks = await swept(count);
        expect(looks.map(({ cluster }) => cluster)).toEqual(clustersOf(count));
        expect(Math.max(0, ...looks.map(({ afterSeconds }) => afterSeconds))).toBeLessThan(51);
      }),
      { numRuns: 30 },
    );
  });
});
