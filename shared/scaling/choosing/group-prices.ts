import type { GroupState } from '../group-state.ts';
import { isSpotNode, type Prices, priceOf } from '../prices.ts';

/**
 * What a new node of the group costs, in millionths of a dollar per hour: the dearest of all that AWS may launch
 * there, as AWS chooses. `undefined` where the price of any of them is not known.
 */
export const nodePriceOf = (state: GroupState, prices: Prices): number | undefined => {
  let dearest: number | undefined;
  for (const { template } of state.probed) {
    const machine = {
      type: template.instanceType,
      zone: template.zone,
      spot: isSpotNode(template.node.labels),
    };
    const price = priceOf(prices, machine);
    if (price === undefined) return undefined;
    dearest = Math.max(dearest ?? 0, price);
  }
  return dearest;
};

/** On-demand prices that people wrote down stand above those that were read. */
export const mergedPrices = (read: Prices, written: Readonly<Record<string, number>>): Prices => ({
  ...read,
  ...Object.fromEntries(
    Object.entries(written).map(([type, onDemandMicro]) => [
      type,
      { spotMicro: {}, ...(Object.hasOwn(read, type) ? read[type] : {}), onDemandMicro },
    ]),
  ),
});
