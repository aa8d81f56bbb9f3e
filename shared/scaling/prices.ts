import { isJsonObject } from '#cluster/json.ts';
import { getOwn } from '#cluster/own-record.ts';
import type { Problem } from '#cluster/problem.ts';

/** What one instance type costs, in millionths of a dollar per hour: whole numbers, summed exactly. */
export interface Price {
  readonly onDemandMicro?: number;
  /** By availability zone. */
  readonly spotMicro: Readonly<Record<string, number>>;
}

/** By instance type. */
export type Prices = Readonly<Record<string, Price>>;

/** One machine to be priced. */
export interface PricedMachine {
  readonly type: string;
  readonly zone?: string;
  readonly spot: boolean;
}

const spotLabels: readonly (readonly [string, string])[] = [
  ['node.kubernetes.io/lifecycle', 'spot'],
  ['lifecycle', 'spot'],
  ['karpenter.sh/capacity-type', 'spot'],
  ['eks.amazonaws.com/capacityType', 'spot'],
];

/** Whether a node's labels, or those of a template, say that it is a Spot instance. */
export const isSpotNode = (labels: Readonly<Record<string, string>>): boolean =>
  spotLabels.some(([key, value]) => getOwn(labels, key)?.toLowerCase() === value);

/** A million dollars an hour is a slip of the pen. */
const dearest = 1_000_000;

const micro = (dollars: unknown): number | undefined =>
  typeof dollars === 'number' && dollars >= 0 && dollars <= dearest
    ? Math.round(dollars * 1_000_000)
    : undefined;

/**
 * Reads `{ "instanceType": dollarsPerHour | { "onDemand", "spot": { "zone": … } } }`. A price that is
 * no number from 0 to a million is left out and named.
 */
export const readPrices = (
  content: Readonly<Record<string, unknown>>,
  file: string,
): { readonly prices: Prices; readonly problems: readonly Problem[] } => {
  const problems: Problem[] = [];
  const refuse = (field: string): undefined => {
    problems.push({
      file,
      field,
      code: 'badPrice',
      message: 'is no price: write dollars per hour as a number, such as 0.0416',
    });
  };
  const prices = Object.entries(content).map(([type, written]): readonly [string, Price] => {
    if (!isJsonObject(written)) {
      const price = micro(written) ?? refuse(type);
      return [type, { ...(price === undefined ? {} : { onDemandMicro: price }), spotMicro: {} }];
    }
    const { onDemand, spot } = written;
    const price =
      onDemand === undefined ? undefined : (micro(onDemand) ?? refuse(`${type}.onDemand`));
    const zones = isJsonObject(spot) ? Object.entries(spot) : [];
    if (spot !== undefined && !isJsonObject(spot)) refuse(`${type}.spot`);
    const spotMicro = zones.flatMap(([zone, dollars]) => {
      const zonePrice = micro(dollars) ?? refuse(`${type}.spot.${zone}`);
      return zonePrice === undefined ? [] : [[zone, zonePrice] as const];
    });
    return [
      type,
      {
        ...(price === undefined ? {} : { onDemandMicro: price }),
        spotMicro: Object.fromEntries(spotMicro),
      },
    ];
  });
  return { prices: Object.fromEntries(prices), problems };
};

/** Millionths of a dollar per hour; `undefined` where the price is not known. */
export const priceOf = (prices: Prices, machine: PricedMachine): number | undefined => {
  const price = getOwn(prices, machine.type);
  if (price === undefined) return undefined;
  if (!machine.spot) return price.onDemandMicro;
  return machine.zone === undefined ? undefined : getOwn(price.spotMicro, machine.zone);
};

/** The sum, or the types that have no price (sorted, each once). */
export const hourlyCost = (
  prices: Prices,
  machines: readonly PricedMachine[],
): { readonly micro: number } | { readonly unpriced: readonly string[] } => {
  let sum = 0;
  const unpriced = new Set<string>();
  for (const machine of machines) {
    const price = priceOf(prices, machine);
    if (price === undefined) unpriced.add(machine.spot ? `${machine.type} (Spot)` : machine.type);
    else sum += price;
  }
  return unpriced.size === 0 ? { micro: sum } : { unpriced: [...unpriced].sort() };
};
