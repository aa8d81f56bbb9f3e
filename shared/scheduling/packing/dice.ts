/** A stream of whole numbers that looks random and is the same each time (xorshift32, Marsaglia 2003). */
export interface Dice {
  /** In [0, sides); `sides` at most 2^32. */
  roll(sides: number): number;
}

/** `seed`: a whole number from 0; another gives another stream. */
export const createDice = (seed = 0): Dice => {
  let state = 0x9e3779b9 ^ Math.imul(seed, 0x85ebca6b) || 1;
  return {
    roll: (sides) => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return Math.floor(((state >>> 0) / 4_294_967_296) * sides);
    },
  };
};
