import { createRandom } from '#world/random.ts';

/** Draws for one scene: the same seed and scene give the same objects for ever. */
export interface Dice {
  between(from: number, to: number): number;
  /** True in `percent` of the draws. */
  chance(percent: number): boolean;
  of<T>(values: readonly [T, ...T[]]): T;
  /** So many draws, between `from` and `to`. */
  several<T>(from: number, to: number, draw: () => T): T[];
  /** The value's fields in `percent` of the draws, else none: to be spread into an object. */
  maybe<T extends object>(percent: number, draw: () => T): T | Record<never, never>;
  /** Each of the values in `percent` of the draws. */
  some<T>(values: readonly T[], percent: number): T[];
}

export const diceOf = (seed: number, stream: string): Dice => {
  const random = createRandom(seed, stream);
  const chance = (percent: number): boolean => random.between(1, 100) <= percent;
  return {
    between: random.between,
    chance,
    of: (values) => values[random.between(0, values.length - 1)] ?? values[0],
    several: (from, to, draw) => Array.from({ length: random.between(from, to) }, () => draw()),
    maybe: (percent, draw) => (chance(percent) ? draw() : {}),
    some: (values, percent) => values.filter(() => chance(percent)),
  };
};
