import type { Prices } from '#scaling/prices.ts';

/** What Spot instances cost now, in the account and region of a cluster. */
export interface SpotPrices {
  /** Of Linux, by type and zone; what AWS has no price for is not in it. */
  read(types: readonly string[]): Promise<Prices>;
}
