/** A stream of whole numbers that looks random and is the same each time (xorshift32, Marsaglia 2003). */
export interface Dice {
  /** In [0, sides); `sides` at most 2^32. */
  roll(sides: number): number;
}

export const createDice = (): Dice => {
  let state = 0x9e3779b9;
  return {
    roll: (sides) => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return Math.floor(((state >>> 0) / 4_294_967_296) * sides);
    },
  };
};
