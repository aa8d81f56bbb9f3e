import { describe, expect, it } from 'vitest';
import { inParallel } from '#cluster/in-parallel.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('work in parallel', () => {
  it('does every item, never more at once than allowed, and gives results in their order', async () => {
    let running = 0;
    let most = 0;
    const squares = await inParallel([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
      running += 1;
      most = Math.max(most, running);
      for (let turns = item; turns < 8; turns += 1) await turn();
      running -= 1;
      return item * item;
    });
    expect(squares).toEqual([1, 4, 9, 16, 25, 36, 49]);
    expect(most).toBe(3);
  });

  it('throws what the work throws, and begins nothing after that', async () => {
    const begun: number[] = [];
    const work = inParallel([1, 2, 3, 4], 2, async (item) => {
      begun.push(item);
      if (item === 1) throw new Error('no');
      await turn();
    });
    await expect(work).rejects.toThrow('no');
    await turn();
    expect(begun).toEqual([1, 2]);
  });
});
