import type { Prices } from '#scaling/prices.ts';

/** What On-Demand instances cost: the list price of a region, the same in every account. */
export interface OnDemandPrices {
  /** Of Linux with shared tenancy, by type; what AWS has no price for has no `onDemandMicro`. */
  read(region: string, types: readonly string[]): Promise<Prices>;
}
