import type { NodeTemplate } from '#scheduling/node.ts';
import type { GroupState } from '../group-state.ts';
import { nextMarket } from '../markets.ts';
import { type Prices, priceOf } from '../prices.ts';

/** Whether the group's next node is a Spot instance. */
export const isNextSpot = (
  { group, coming }: GroupState,
  labels: NodeTemplate['labels'],
): boolean =>
  nextMarket(group, { labels, size: coming.expected, units: coming.unitsPerNode }) === 'spot';

/**
 * What the group's next node costs, in millionths of a dollar per hour: the dearest of all that AWS may launch
 * there, as AWS chooses; as Spot where the next is that. `undefined` where the price of any of them is not known.
 */
export const nodePriceOf = (state: GroupState, prices: Prices): number | undefined => {
  let dearest: number | undefined;
  for (const { template } of state.probed) {
    const { instanceType: type, zone, node } = template;
    const price = priceOf(prices, { type, zone, spot: isNextSpot(state, node.labels) });
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
