import { getOwn } from '#cluster/own-record.ts';
import type { Problem } from '#cluster/problem.ts';
import type { OnDemandPrices } from '#ports/on-demand-prices.ts';
import type { SpotPrices } from '#ports/spot-prices.ts';
import type { Prices } from '#scaling/prices.ts';
import type { TypesToPrice } from '#scaling/what-to-ask.ts';
import { askIfPossible } from './ask-if-possible.ts';

/** Who tells prices; absent ones are not asked. */
export interface PricePorts {
  readonly spotPrices?: SpotPrices;
  readonly onDemandPrices?: OnDemandPrices;
}

/**
 * Prices of both markets, as far as they can be had: what could not be asked is a problem, and groups are chosen with
 * the prices that people wrote down, or as if they had none. No `prices` where there was nothing to ask.
 */
export const askPrices = async (
  { spotPrices, onDemandPrices }: PricePorts,
  region: string,
  types: TypesToPrice,
): Promise<{ readonly prices?: Prices; readonly problems: readonly Problem[] }> => {
  const { ask, problems } = askIfPossible();
  const [onDemand, spot] = await Promise.all([
    onDemandPrices === undefined || types.onDemand.length === 0
      ? undefined
      : ask('onDemandPrices', () => onDemandPrices.read(region, types.onDemand)),
    spotPrices === undefined || types.spot.length === 0
      ? undefined
      : ask('spotPrices', () => spotPrices.read(types.spot)),
  ]);
  if (onDemand === undefined && spot === undefined) return { problems: problems() };
  const names = [...new Set([...types.onDemand, ...types.spot])].sort();
  const prices = Object.fromEntries(
    names.map((type) => [
      type,
      { ...getOwn(onDemand ?? {}, type), spotMicro: getOwn(spot ?? {}, type)?.spotMicro ?? {} },
    ]),
  );
  return { prices, problems: problems() };
};
