import type { OnDemandPrices } from '#ports/on-demand-prices.ts';
import type { SpotPrices } from '#ports/spot-prices.ts';
import type { Price, Prices } from '#scaling/prices.ts';

/** Prices that are given, by region; Spot prices are those of the one region named. */
export const memoryPrices = (
  byRegion: Readonly<Record<string, Prices>>,
  ownRegion: string,
): { readonly onDemandPrices: OnDemandPrices; readonly spotPrices: SpotPrices } => {
  const known = (region: string, type: string): Price =>
    byRegion[region]?.[type] ?? { spotMicro: {} };
  return {
    onDemandPrices: {
      read: async (region, types) =>
        Object.fromEntries(
          types.map((type) => [type, { ...known(region, type), spotMicro: {} }] as const),
        ),
    },
    spotPrices: {
      read: async (types) =>
        Object.fromEntries(
          types.map((type) => [type, { spotMicro: known(ownRegion, type).spotMicro }] as const),
        ),
    },
  };
};
