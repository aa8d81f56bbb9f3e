import { type Filter, GetProductsCommand, type PricingClient } from '@aws-sdk/client-pricing';
import { inParallel } from '#cluster/in-parallel.ts';
import type { OnDemandPrices } from '#ports/on-demand-prices.ts';
import { PortError } from '#ports/port-error.ts';
import type { Prices } from '#scaling/prices.ts';
import { calling } from './aws-error.ts';
import { readOnDemandMicro } from './price-list-products.ts';

/** List prices change a few times a year. */
const keptMs = 24 * 60 * 60 * 1000;

/** So long a price list that could not be asked is left alone: who waits for it makes every look wait. */
const leftAloneMs = 10 * 60 * 1000;

/** The price list has a quota of its own. */
const atOnce = 4;

/**
 * The region whose endpoint is asked: the price list is served in three and knows all regions of the partition.
 * `undefined`: its partition has none in dollars.
 * Source: AWS Price List endpoints, AWS Billing user guide.
 */
export const priceListRegion = (region: string): string | undefined => {
  if (/^(cn|us-gov|us-iso[a-z]*|eu-isoe|eusc)-/.test(region)) return undefined;
  if (/^ap-/.test(region)) return 'ap-south-1';
  return /^(eu|af|me|il)-/.test(region) ? 'eu-central-1' : 'us-east-1';
};

export interface PriceListOptions {
  /** Makes a client of the price list's endpoint in that region. */
  readonly clientIn: (region: string) => PricingClient;
  readonly nowMs?: () => number;
}

/**
 * On-Demand prices by AWS's price list, each type of a region asked for once a day. A failure is remembered for ten
 * minutes, in which nothing is asked and the same is thrown.
 */
export function pricingOnDemandPrices({
  clientIn,
  nowMs = Date.now,
}: PriceListOptions): OnDemandPrices {
  const kept = new Map<string, { readonly micro: number | undefined; readonly untilMs: number }>();
  const clients = new Map<string, PricingClient>();
  let failure: { readonly error: unknown; readonly untilMs: number } | undefined;

  const clientFor = (region: string): PricingClient => {
    const endpoint = priceListRegion(region);
    if (endpoint === undefined) {
      throw new PortError(
        'notFound',
        `AWS serves no price list in dollars for ${region}: write the prices of its types under scaling.prices`,
      );
    }
    const client = clients.get(endpoint) ?? clientIn(endpoint);
    clients.set(endpoint, client);
    return client;
  };

  return {
    async read(region, types) {
      const now = nowMs();
      const keyOf = (type: string): string => `${region} ${type}`;
      const wanted = [...new Set(types)].sort();
      const asked = wanted.filter((type) => (kept.get(keyOf(type))?.untilMs ?? 0) <= now);
      if (asked.length > 0) {
        if (failure !== undefined && failure.untilMs > now) throw failure.error;
        const client = clientFor(region);
        try {
          await inParallel(asked, atOnce, async (type) => {
            const micro = readOnDemandMicro(await productsOf(client, region, type));
            kept.set(keyOf(type), { micro, untilMs: now + keptMs });
          });
        } catch (error) {
          failure = { error, untilMs: now + leftAloneMs };
          throw error;
        }
      }
      const prices: Prices = Object.fromEntries(
        wanted.map((type) => {
          const onDemandMicro = kept.get(keyOf(type))?.micro;
          return [
            type,
            { ...(onDemandMicro === undefined ? {} : { onDemandMicro }), spotMicro: {} },
          ];
        }),
      );
      return prices;
    },
  };
}

const plainLinux: Readonly<Record<string, string>> = {
  operatingSystem: 'Linux',
  tenancy: 'Shared',
  preInstalledSw: 'NA',
  capacitystatus: 'Used',
};

/** JSON texts, one for each product. */
async function productsOf(
  client: PricingClient,
  regionCode: string,
  instanceType: string,
): Promise<readonly unknown[]> {
  const fields = { ...plainLinux, regionCode, instanceType };
  const Filters = Object.entries(fields).map(
    ([Field, Value]): Filter => ({ Type: 'TERM_MATCH', Field, Value }),
  );
  const found: unknown[] = [];
  let token: string | undefined;
  do {
    const command = new GetProductsCommand({
      ServiceCode: 'AmazonEC2',
      FormatVersion: 'aws_v1',
      Filters,
      ...(token !== undefined && { NextToken: token }),
    });
    const answer = await calling('GetProducts', () => client.send(command));
    found.push(...(answer.PriceList ?? []));
    token = answer.NextToken || undefined;
  } while (token !== undefined);
  return found;
}
