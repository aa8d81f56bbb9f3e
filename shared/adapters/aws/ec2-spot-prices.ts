import {
  DescribeSpotPriceHistoryCommand,
  type EC2Client,
  type _InstanceType as InstanceTypeName,
  type SpotPrice,
} from '@aws-sdk/client-ec2';
import type { SpotPrices } from '#ports/spot-prices.ts';
import type { Prices } from '#scaling/prices.ts';
import { calling } from './aws-error.ts';

const typesPerCall = 100;

/** Prices change gradually, a few times a day. */
const keptMs = 10 * 60 * 1000;

/** The newest price of each type and zone, by EC2's Spot price history; asked for at most once in ten minutes. */
export function ec2SpotPrices(client: EC2Client, nowMs: () => number = Date.now): SpotPrices {
  const kept = new Map<
    string,
    { readonly spotMicro: Readonly<Record<string, number>>; readonly untilMs: number }
  >();
  return {
    async read(types) {
      const now = nowMs();
      const wanted = [...new Set(types)].sort();
      const asked = wanted.filter((type) => (kept.get(type)?.untilMs ?? 0) <= now);
      for (let from = 0; from < asked.length; from += typesPerCall) {
        const page = asked.slice(from, from + typesPerCall);
        const history = await newestOf(client, page, now);
        for (const type of page) {
          kept.set(type, { spotMicro: byZone(history, type), untilMs: now + keptMs });
        }
      }
      const prices: Prices = Object.fromEntries(
        wanted.map((type) => [type, { spotMicro: kept.get(type)?.spotMicro ?? {} }]),
      );
      return prices;
    },
  };
}

/** A history that starts now holds the price of now alone. */
async function newestOf(
  client: EC2Client,
  types: readonly string[],
  nowMs: number,
): Promise<readonly SpotPrice[]> {
  const found: SpotPrice[] = [];
  let token: string | undefined;
  do {
    const command = new DescribeSpotPriceHistoryCommand({
      InstanceTypes: types as InstanceTypeName[],
      ProductDescriptions: ['Linux/UNIX', 'Linux/UNIX (Amazon VPC)'],
      StartTime: new Date(nowMs),
      ...(token !== undefined && { NextToken: token }),
    });
    const answer = await calling('DescribeSpotPriceHistory', () => client.send(command));
    found.push(...(answer.SpotPriceHistory ?? []));
    token = answer.NextToken || undefined;
  } while (token !== undefined);
  return found;
}

/** Of several prices of one zone the newest counts, of one moment the dearest. */
const byZone = (history: readonly SpotPrice[], type: string): Readonly<Record<string, number>> => {
  const zones: Record<string, number> = {};
  const sorted = history
    .filter(({ InstanceType }) => InstanceType === type)
    .map(({ AvailabilityZone: zone, SpotPrice: dollars, Timestamp: time }) => ({
      zone,
      micro: Math.round(Number(dollars) * 1_000_000),
      atMs: time?.getTime() ?? 0,
    }))
    .sort((a, b) => a.atMs - b.atMs || a.micro - b.micro);
  for (const { zone, micro } of sorted) {
    if (zone !== undefined && Number.isSafeInteger(micro) && micro >= 0) zones[zone] = micro;
  }
  return zones;
};
