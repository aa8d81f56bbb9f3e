import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { priceListRegion, pricingOnDemandPrices } from '#adapters/aws/pricing-on-demand-prices.ts';
import { describeOnDemandPricesContract } from '../../../contract/prices-contract.ts';
import { type SoldType, startPriceListServer } from '../../../helpers/price-list-server.ts';

const own = { type: 'm5.large', region: 'us-east-1', dollars: '0.0960000000' };
const sold: readonly SoldType[] = [
  own,
  { ...own, dollars: '0.188', attributes: { operatingSystem: 'Windows' } },
  { ...own, dollars: '0.106', attributes: { tenancy: 'Dedicated' } },
  { ...own, dollars: '0', attributes: { marketoption: 'CapacityBlock' } },
  { type: 'm5.xlarge', region: 'us-east-1', dollars: '0.1920000000' },
  { type: 'm5.large', region: 'eu-west-1', dollars: '0.1070000000' },
  { type: 'p9.free', region: 'us-east-1', dollars: '0.0000000000' },
];

const server = await startPriceListServer(sold);
afterAll(async () => {
  await server.close();
});

// The real client: only what it speaks to is ours, since the emulator of AWS has no price list of instances.
describeOnDemandPricesContract("the SDK's client of the price list", () =>
  pricingOnDemandPrices(server),
);

describe('On-Demand prices by the price list', () => {
  beforeEach(() => {
    server.asked.length = 0;
    server.state.refusing = undefined;
  });

  it('are asked for once a day', async () => {
    let now = 0;
    const prices = pricingOnDemandPrices({ ...server, nowMs: () => now });
    await prices.read('us-east-1', ['m5.xlarge', 'x9.huge']);
    now += 86_399_000;
    await prices.read('us-east-1', ['m5.xlarge', 'x9.huge']);
    expect(server.asked).toHaveLength(2);
    now += 1_000;
    await prices.read('us-east-1', ['m5.xlarge']);
    expect(server.asked).toHaveLength(3);
  });

  it('are those of Linux that nothing else is paid with: what costs nothing is no price', async () => {
    const prices = pricingOnDemandPrices(server);
    expect(await prices.read('us-east-1', ['m5.large', 'p9.free'])).toEqual({
      'm5.large': { onDemandMicro: 96_000, spotMicro: {} },
      'p9.free': { spotMicro: {} },
    });
  });

  it('are left alone for ten minutes after a failure, which is told meanwhile', async () => {
    let now = 0;
    const prices = pricingOnDemandPrices({ ...server, nowMs: () => now });
    const refused = () =>
      expect(prices.read('us-east-1', ['m5.large'])).rejects.toMatchObject({ code: 'forbidden' });
    server.state.refusing = 'AccessDeniedException';
    await refused();
    server.state.refusing = undefined;
    now += 599_000;
    await refused();
    expect(server.asked).toHaveLength(1);
    now += 1_000;
    expect(await prices.read('us-east-1', ['m5.large'])).toMatchObject({
      'm5.large': { onDemandMicro: 96_000 },
    });
  });

  it('that are known need no price list that answers', async () => {
    const prices = pricingOnDemandPrices(server);
    const known = await prices.read('us-east-1', ['m5.large']);
    server.state.refusing = 'ThrottlingException';
    await expect(prices.read('us-east-1', ['m5.xlarge'])).rejects.toMatchObject({
      code: 'throttled',
    });
    expect(await prices.read('us-east-1', ['m5.large'])).toEqual(known);
  });

  it.each([
    ['us-west-2', 'us-east-1'],
    ['ca-central-1', 'us-east-1'],
    ['ap-northeast-1', 'ap-south-1'],
    ['eu-north-1', 'eu-central-1'],
    ['me-south-1', 'eu-central-1'],
  ])('of %s are served in %s', (region, endpoint) => {
    expect(priceListRegion(region)).toBe(endpoint);
  });

  it.each(['cn-north-1', 'us-gov-west-1'])('of %s are refused with the remedy', async (region) => {
    const asking = pricingOnDemandPrices(server).read(region, ['m5.large']);
    await expect(asking).rejects.toMatchObject({
      code: 'notFound',
      message: expect.stringContaining('scaling.prices'),
    });
    expect(server.asked).toEqual([]);
  });
});
