/** A part of one whole, exactly. The whole is never 0. */
export interface Fraction {
  readonly part: bigint;
  readonly whole: bigint;
}

/** Negative where the first is the smaller. */
export const compareFractions = (a: Fraction, b: Fraction): number => {
  const difference = a.part * b.whole - b.part * a.whole;
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
};

export const addFractions = (a: Fraction, b: Fraction): Fraction => ({
  part: a.part * b.whole + b.part * a.whole,
  whole: a.whole * b.whole,
});
