import { describe, expect, it } from 'vitest';
import {
  addQuantities,
  isQuantityError,
  milliValue,
  parseQuantity,
  type Quantity,
  resourceAmount,
  wholeValue,
} from '#cluster/quantity.ts';

const parsed = (text: string | number): Quantity => {
  const result = parseQuantity(text);
  if (isQuantityError(result)) throw new Error(result.error);
  return result;
};

const isRefused = (text: string | number): boolean => isQuantityError(parseQuantity(text));

describe('parseQuantity', () => {
  it.each([
    ['0', 0n],
    ['1', 10n ** 9n],
    ['+1', 10n ** 9n],
    ['-1', -(10n ** 9n)],
    ['007', 7n * 10n ** 9n],
    ['1.', 10n ** 9n],
    ['.5', 5n * 10n ** 8n],
    ['1n', 1n],
    ['1u', 1000n],
    ['100m', 10n ** 8n],
    ['0.1', 10n ** 8n],
    ['3k', 3n * 10n ** 12n],
    ['2M', 2n * 10n ** 15n],
    ['2G', 2n * 10n ** 18n],
    ['2T', 2n * 10n ** 21n],
    ['2P', 2n * 10n ** 24n],
    ['2E', 2n * 10n ** 27n],
    ['1Ki', 1024n * 10n ** 9n],
    ['1Mi', 2n ** 20n * 10n ** 9n],
    ['1.5Gi', 3n * 2n ** 29n * 10n ** 9n],
    ['1Ti', 2n ** 40n * 10n ** 9n],
    ['1Pi', 2n ** 50n * 10n ** 9n],
    ['1Ei', 2n ** 60n * 10n ** 9n],
    ['1e3', 10n ** 12n],
    ['1E3', 10n ** 12n],
    ['1e+3', 10n ** 12n],
    ['12e-3', 12n * 10n ** 6n],
    ['1.5e1', 15n * 10n ** 9n],
  ])('reads %s exactly', (text, nano) => {
    expect(parsed(text).nano).toBe(nano);
  });

  it('tells 12E, twelve exa-units, from 12E1, a hundred and twenty', () => {
    expect(parsed('1E').nano).toBe(10n ** 27n);
    expect(parsed('12E1').nano).toBe(120n * 10n ** 9n);
    expect(parsed('12E').nano).toBe(2n ** 63n * 10n ** 9n);
  });

  it.each([
    '',
    ' 1',
    '1 ',
    '1\n',
    '1.5.Gi',
    '1..5',
    '1GiB',
    '1gi',
    '1K',
    '1i',
    '1ki',
    '1e',
    '1e-',
    '1E+',
    '1e1.5',
    '1m5',
    '1Ki3',
    '1 Gi',
    '--1',
    '+-1',
    '1,5',
    '0x10',
    '١',
    'Gi',
    '-',
    '.',
    '.Gi',
    'NaN',
    'Infinity',
    '1mm',
    '1em',
  ])('refuses %j', (text) => {
    expect(isRefused(text)).toBe(true);
  });

  it('says what it refused and what to write', () => {
    const result = parseQuantity('1GiB');
    expect(isQuantityError(result) && result.error).toMatch(/"1GiB".*500m/);
  });

  it('takes numbers, as YAML reads them, by their decimal text', () => {
    expect(parsed(2).nano).toBe(2n * 10n ** 9n);
    expect(parsed(0.1).nano).toBe(10n ** 8n);
    expect(parsed(1e21).nano).toBe(2n ** 63n * 10n ** 9n);
    expect(parsed(-0).nano).toBe(0n);
    expect(isRefused(Number.NaN)).toBe(true);
    expect(isRefused(Number.POSITIVE_INFINITY)).toBe(true);
  });

  it('rounds what is finer than a nano-unit away from zero', () => {
    expect(parsed('0.1n').nano).toBe(1n);
    expect(parsed('-0.1n').nano).toBe(-1n);
    expect(parsed('1.0000000001').nano).toBe(10n ** 9n + 1n);
    expect(parsed('1e-2000000000').nano).toBe(1n);
  });

  it('holds giant amounts at the end of the range and refuses exponents beyond 32 bits', () => {
    expect(parsed('1e999999999').nano).toBe(2n ** 63n * 10n ** 9n);
    expect(parsed('-1e999999999').nano).toBe(-(2n ** 63n) * 10n ** 9n);
    expect(parsed('0e999999999').nano).toBe(0n);
    expect(parsed('9'.repeat(200)).nano).toBe(2n ** 63n * 10n ** 9n);
    expect(isRefused('1e99999999999')).toBe(true);
    expect(isRefused('9'.repeat(300))).toBe(true);
  });
});

describe('amounts of a quantity', () => {
  it('rounds away from zero, as MilliValue and Value do', () => {
    expect(milliValue(parsed('1n'))).toBe(1);
    expect(milliValue(parsed('100.5m'))).toBe(101);
    expect(wholeValue(parsed('1m'))).toBe(1);
    expect(wholeValue(parsed('-1500m'))).toBe(-2);
    expect(wholeValue(parsed('0'))).toBe(0);
  });

  it('adds 0.1 ten times to exactly one', () => {
    const sum = Array.from({ length: 10 }, () => parsed('0.1')).reduce(addQuantities);
    expect(sum).toEqual(parsed('1'));
  });

  it('holds at 2^53-1, where whole numbers are exact', () => {
    expect(wholeValue(parsed('8Pi'))).toBe(Number.MAX_SAFE_INTEGER);
    expect(wholeValue(parsed('7Pi'))).toBe(7 * 2 ** 50);
    expect(milliValue(parsed('-8Ei'))).toBe(-Number.MAX_SAFE_INTEGER);
  });

  it('keeps cpu in thousandths and everything else in whole units', () => {
    expect(resourceAmount('cpu', parsed('1.5'))).toBe(1500);
    expect(resourceAmount('memory', parsed('1.5Ki'))).toBe(1536);
    expect(resourceAmount('nvidia.com/gpu', parsed('2'))).toBe(2);
  });
});
