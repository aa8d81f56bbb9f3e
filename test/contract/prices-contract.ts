import { describe, expect, it } from 'vitest';
import type { OnDemandPrices } from '#ports/on-demand-prices.ts';
import type { SpotPrices } from '#ports/spot-prices.ts';

/**
 * What every OnDemandPrices does. In `us-east-1` m5.large costs 0.096 dollars and m5.xlarge 0.192, in `eu-west-1`
 * m5.large 0.107; there are no other types.
 */
export function describeOnDemandPricesContract(
  name: string,
  makeAdapter: () => OnDemandPrices | Promise<OnDemandPrices>,
): void {
  describe(`OnDemandPrices: ${name}`, () => {
    it('gives the price of each type once, in millionths of a dollar', async () => {
      const prices = await makeAdapter();
      expect(await prices.read('us-east-1', ['m5.xlarge', 'm5.large', 'm5.large'])).toEqual({
        'm5.large': { onDemandMicro: 96_000, spotMicro: {} },
        'm5.xlarge': { onDemandMicro: 192_000, spotMicro: {} },
      });
    });

    it('gives that of the region asked for', async () => {
      const prices = await makeAdapter();
      const priceIn = async (region: string) =>
        (await prices.read(region, ['m5.large']))['m5.large']?.onDemandMicro;
      expect([await priceIn('us-east-1'), await priceIn('eu-west-1')]).toEqual([96_000, 107_000]);
    });

    it('has no price of a type that is not sold there, and none where none is asked for', async () => {
      const prices = await makeAdapter();
      expect((await prices.read('us-east-1', ['x9.huge']))['x9.huge']).toEqual({ spotMicro: {} });
      expect(await prices.read('us-east-1', [])).toEqual({});
    });
  });
}

export interface SpotPricesAdapters {
  readonly spotPrices: SpotPrices;
  /** A type that has a price in some zone. */
  readonly sold: string;
}

/** What every SpotPrices does. */
export function describeSpotPricesContract(
  name: string,
  makeAdapters: () => SpotPricesAdapters | Promise<SpotPricesAdapters>,
): void {
  describe(`SpotPrices: ${name}`, () => {
    it('gives whole millionths of a dollar by zone, and no On-Demand price', async () => {
      const { spotPrices, sold } = await makeAdapters();
      const { [sold]: price, ...others } = await spotPrices.read([sold, sold]);
      expect(others).toEqual({});
      expect(price?.onDemandMicro).toBeUndefined();
      const zones = Object.entries(price?.spotMicro ?? {});
      expect(zones.length).toBeGreaterThan(0);
      for (const [zone, micro] of zones) {
        expect(zone).toMatch(/^[a-z]+(-[a-z]+)+-\d[a-z]$/);
        expect(Number.isSafeInteger(micro) && micro > 0).toBe(true);
      }
    });

    it('has none where none is asked for', async () => {
      const { spotPrices } = await makeAdapters();
      expect(await spotPrices.read([])).toEqual({});
    });
  });
}
