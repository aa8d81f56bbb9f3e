import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { marketsOf, nextMarket, onDemandUnits } from '#scaling/markets.ts';

describe('the distribution of a mixed-instances policy', () => {
  it.each([
    [0, 0, 10, 0],
    [0, 100, 10, 10],
    [12, 0, 10, 10],
    [12, 0, 20, 12],
    [12, 25, 20, 14],
    // 4.5 above the base: rounded in favour of On-Demand.
    [12, 25, 30, 17],
    [0, 50, 11, 6],
  ])('of base %i and %i %% makes of %i units %i On-Demand', (base, percent, size, expected) => {
    const distribution = { onDemandBase: base, onDemandPercentAbove: percent };
    expect(onDemandUnits(distribution, size)).toBe(expected);
  });

  it('gives a group that grows one by one as many On-Demand as it should have, and no other market than it may', () => {
    const cases = fc.record({
      onDemandBase: fc.nat(10),
      onDemandPercentAbove: fc.nat(100),
    });
    fc.assert(
      fc.property(cases, fc.nat(60), (distribution, max) => {
        const markets = Array.from({ length: max }, (_, size) =>
          nextMarket({ distribution }, { labels: {}, size, units: 1 }),
        );
        const onDemand = markets.filter((market) => market === 'onDemand').length;
        expect(onDemand).toBe(onDemandUnits(distribution, max));
        const may = marketsOf({ distribution, max }, {});
        expect(markets.every((market) => may.has(market))).toBe(true);
      }),
    );
  });

  it('stands above the labels of nodes, which count where there is none', () => {
    const labels = { 'node.kubernetes.io/lifecycle': 'spot' };
    const at = { labels, size: 0, units: 1 };
    const distribution = { onDemandBase: 0, onDemandPercentAbove: 100 };
    expect(nextMarket({ distribution }, at)).toBe('onDemand');
    expect(nextMarket({}, at)).toBe('spot');
    expect(nextMarket({}, { ...at, labels: {} })).toBe('onDemand');
  });
});
