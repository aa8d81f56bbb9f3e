import { describe, expect, it } from 'vitest';
import { hourlyCost, priceOf, readPrices } from '#scaling/prices.ts';

const { prices, problems } = readPrices(
  { 'm5.large': { onDemand: 0.115, spot: { 'eu-1a': 0.0441 } }, 't3.nano': 0.0000005 },
  'prices.json',
);

describe('prices', () => {
  it('are whole millionths of a dollar', () => {
    expect(problems).toEqual([]);
    expect(priceOf(prices, { type: 'm5.large', spot: false })).toBe(115_000);
    expect(priceOf(prices, { type: 't3.nano', spot: false })).toBe(1);
  });

  it('of Spot machines are those of their zone', () => {
    expect(priceOf(prices, { type: 'm5.large', spot: true, zone: 'eu-1a' })).toBe(44_100);
    expect(priceOf(prices, { type: 'm5.large', spot: true, zone: 'eu-1b' })).toBeUndefined();
    expect(priceOf(prices, { type: 'm5.large', spot: true })).toBeUndefined();
  });

  it('are not found by the names of every object', () => {
    expect(priceOf(prices, { type: 'constructor', spot: false })).toBeUndefined();
  });

  it('add up exactly, or name what has none', () => {
    const ten = Array.from({ length: 10 }, () => ({ type: 'm5.large', spot: false }));
    expect(hourlyCost(prices, ten)).toEqual({ micro: 1_150_000 });
    const unknown = [
      { type: 'z', spot: false },
      { type: 'a', spot: true },
      { type: 'z', spot: false },
    ];
    expect(hourlyCost(prices, [...ten, ...unknown])).toEqual({ unpriced: ['a (Spot)', 'z'] });
  });

  it.each([-1, '0.1', Number.NaN, 2e6, null])('are not %j', (written) => {
    const read = readPrices({ 'm5.large': written }, 'prices.json');
    expect(read.problems).toEqual([
      expect.objectContaining({ file: 'prices.json', field: 'm5.large', code: 'badPrice' }),
    ]);
    expect(priceOf(read.prices, { type: 'm5.large', spot: false })).toBeUndefined();
  });
});
