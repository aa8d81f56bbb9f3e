import type { EC2Client } from '@aws-sdk/client-ec2';
import { afterAll, describe, expect, it } from 'vitest';
import { ec2SpotPrices } from '#adapters/aws/ec2-spot-prices.ts';
import { describeSpotPricesContract } from '../../../contract/prices-contract.ts';
import { clientOf, refuse } from '../../../helpers/fake-aws-client.ts';
import { startSpotPriceServer } from '../../../helpers/spot-price-server.ts';

const now = 1_800_000_000_000;
const price = (type: string, zone: string, dollars: string, minutesAgo = 0) => ({
  InstanceType: type,
  AvailabilityZone: zone,
  SpotPrice: dollars,
  Timestamp: new Date(now - minutesAgo * 60_000),
});

const history = [
  price('m5.large', 'us-east-1a', '0.031000', 90),
  price('m5.large', 'us-east-1a', '0.035700', 10),
  price('m5.large', 'us-east-1b', '0.040000', 5),
  price('m5.xlarge', 'us-east-1a', 'none'),
];

const open = (clock = () => now) => {
  const { client, inputs } = clientOf(({ NextToken }) =>
    NextToken === undefined
      ? { SpotPriceHistory: history.slice(0, 2), NextToken: 'more' }
      : { SpotPriceHistory: history.slice(2) },
  );
  return { prices: ec2SpotPrices(client as unknown as EC2Client, clock), inputs };
};

const server = await startSpotPriceServer([
  { type: 'm5.large', zone: 'us-east-1a', dollars: '0.035700', at: '2026-08-21T09:00:00.000Z' },
  { type: 'm5.large', zone: 'us-east-1b', dollars: '0.041000', at: '2026-08-21T09:00:00.000Z' },
  { type: 'm5.xlarge', zone: 'us-east-1a', dollars: '0.071000', at: '2026-08-21T09:00:00.000Z' },
]);
afterAll(async () => {
  await server.close();
});

// The real client: only what it speaks to is ours, since the emulator of AWS has no Spot price history.
describeSpotPricesContract("the SDK's client of EC2", () => ({
  spotPrices: ec2SpotPrices(server.client),
  sold: 'm5.large',
}));

describe('Spot prices by EC2', () => {
  it('are the newest of each zone, read to the last page; what is no price is left out', async () => {
    const { prices, inputs } = open();
    expect(await prices.read(['m5.xlarge', 'm5.large', 'm5.large'])).toEqual({
      'm5.large': { spotMicro: { 'us-east-1a': 35_700, 'us-east-1b': 40_000 } },
      'm5.xlarge': { spotMicro: {} },
    });
    expect(inputs).toHaveLength(2);
    expect(inputs[0]).toMatchObject({
      InstanceTypes: ['m5.large', 'm5.xlarge'],
      StartTime: new Date(now),
    });
  });

  it('are asked for once in ten minutes', async () => {
    let clock = now;
    const { prices, inputs } = open(() => clock);
    await prices.read(['m5.large']);
    clock += 9 * 60_000;
    await prices.read(['m5.large']);
    expect(inputs).toHaveLength(2);
    clock += 60_000;
    await prices.read(['m5.large']);
    expect(inputs).toHaveLength(4);
  });

  it('are refused as AWS refuses', async () => {
    const { client } = clientOf(() => refuse('UnauthorizedOperation', 403));
    const prices = ec2SpotPrices(client as unknown as EC2Client);
    await expect(prices.read(['m5.large'])).rejects.toMatchObject({ code: 'forbidden' });
  });
});
