import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isQuantityError, milliValue, parseQuantity, wholeValue } from '#cluster/quantity.ts';

/** numerator / denominator of each suffix. */
const suffixes = {
  n: [1n, 10n ** 9n],
  u: [1n, 10n ** 6n],
  m: [1n, 1000n],
  '': [1n, 1n],
  k: [10n ** 3n, 1n],
  M: [10n ** 6n, 1n],
  G: [10n ** 9n, 1n],
  T: [10n ** 12n, 1n],
  P: [10n ** 15n, 1n],
  E: [10n ** 18n, 1n],
  Ki: [1024n, 1n],
  Mi: [1024n ** 2n, 1n],
  Gi: [1024n ** 3n, 1n],
  Ti: [1024n ** 4n, 1n],
  Pi: [1024n ** 5n, 1n],
  Ei: [1024n ** 6n, 1n],
  e5: [10n ** 5n, 1n],
  'E-4': [1n, 10n ** 4n],
  'e+2': [100n, 1n],
} as const;

const digits = (maxLength: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { maxLength }).map((list) => list.join(''));

const quantities = fc
  .record({
    sign: fc.constantFrom('', '+', '-'),
    whole: digits(22),
    fraction: fc.option(digits(14), { nil: undefined }),
    suffix: fc.constantFrom(...(Object.keys(suffixes) as (keyof typeof suffixes)[])),
  })
  .filter(({ whole, fraction }) => whole !== '' || (fraction ?? '') !== '');

/** ceil(|a / b|) with a's sign, held at a bound: plain rational arithmetic. */
function awayFromZero(numerator: bigint, denominator: bigint, bound: bigint): bigint {
  const size = numerator < 0n ? -numerator : numerator;
  let rounded = size / denominator;
  if (rounded * denominator !== size) rounded += 1n;
  if (rounded > bound) rounded = bound;
  return numerator < 0n ? -rounded : rounded;
}

describe('parseQuantity against exact fractions', () => {
  it('agrees in nano-units, thousandths and whole units', () => {
    fc.assert(
      fc.property(quantities, ({ sign, whole, fraction, suffix }) => {
        const text = `${sign}${whole}${fraction === undefined ? '' : `.${fraction}`}${suffix}`;
        const [up, down] = suffixes[suffix];
        const unsigned = BigInt(whole + (fraction ?? '')) * up;
        const numerator = sign === '-' ? -unsigned : unsigned;
        const denominator = 10n ** BigInt((fraction ?? '').length) * down;
        const result = parseQuantity(text);
        if (isQuantityError(result)) throw new Error(`${text}: ${result.error}`);
        const end = 2n ** 63n * 10n ** 9n;
        const safe = BigInt(Number.MAX_SAFE_INTEGER);
        expect(result.nano).toBe(awayFromZero(numerator * 10n ** 9n, denominator, end));
        expect(BigInt(milliValue(result))).toBe(awayFromZero(numerator * 1000n, denominator, safe));
        expect(BigInt(wholeValue(result))).toBe(awayFromZero(numerator, denominator, safe));
      }),
      { numRuns: 2000 },
    );
  });

  it('answers any text without throwing, and never with a number that is not whole', () => {
    const near = fc
      .array(fc.constantFrom(...'0123456789.+-eEinumkKMGTP '), { maxLength: 12 })
      .map((letters) => letters.join(''));
    fc.assert(
      fc.property(fc.oneof(near, fc.string(), fc.double().map(String)), (text) => {
        const result = parseQuantity(text);
        if (isQuantityError(result)) expect(result.error.length).toBeGreaterThan(20);
        else expect(Number.isSafeInteger(milliValue(result))).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });
});
