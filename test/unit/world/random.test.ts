import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '#world/random.ts';

describe('a seeded stream', () => {
  it('gives the same numbers for the same seed and name', () => {
    const draw = () => {
      const random = createRandom(42, 'boot');
      return Array.from({ length: 5 }, () => random.next());
    };
    expect(draw()).toEqual(draw());
    expect(new Set(draw()).size).toBe(5);
  });

  it('gives other numbers for another seed or another name', () => {
    const first = (seed: number, name: string) => createRandom(seed, name).next();
    expect(first(1, 'boot')).not.toBe(first(2, 'boot'));
    expect(first(1, 'boot')).not.toBe(first(1, 'launch'));
  });

  it('stays within both ends, and reaches them', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(1000), fc.nat(1000), (seed, from, width) => {
        const random = createRandom(seed, 'any');
        for (let draw = 0; draw < 50; draw += 1) {
          const drawn = random.between(from, from + width);
          expect(Number.isInteger(drawn)).toBe(true);
          expect(drawn).toBeGreaterThanOrEqual(from);
          expect(drawn).toBeLessThanOrEqual(from + width);
        }
      }),
    );
    const random = createRandom(1, 'die');
    const faces = new Set(Array.from({ length: 200 }, () => random.between(1, 6)));
    expect([...faces].sort()).toEqual([1, 2, 3, 4, 5, 6]);
  });
});
