/** A seeded stream of numbers: the same seed and stream name give the same numbers for ever. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A whole number in [from, to], both included. */
  between(from: number, to: number): number;
  /** `digits` hexadecimal digits. */
  hex(digits: number): string;
}

/** FNV-1a, to spread seed and stream name over 32 bits. */
const hash = (text: string): number => {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
};

/**
 * Mulberry32 (public domain). Each subject draws from a stream of its own, so that one more pod does
 * not change how long the next instance takes to boot.
 */
export const createRandom = (seed: number, stream: string): Random => {
  let state = hash(`${seed}/${stream}`);
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    between: (from, to) => from + Math.floor(next() * (to - from + 1)),
    hex: (digits) =>
      Array.from({ length: digits }, () => Math.floor(next() * 16).toString(16)).join(''),
  };
};
