import { describe, expect, it } from 'vitest';
import { memoryPrices } from '#adapters/memory/memory-prices.ts';
import { askPrices } from '#operations/ask-prices.ts';
import { PortError } from '#ports/port-error.ts';

const region = 'us-east-1';
const ports = memoryPrices(
  { [region]: { 'm5.large': { onDemandMicro: 96_000, spotMicro: { 'us-east-1a': 35_000 } } } },
  region,
);
const both = { onDemand: ['m5.large'], spot: ['m5.large'] };
const unreachable = {
  read: () => Promise.reject(new PortError('timeout', 'GetProducts: no answer')),
};

describe('asking for prices', () => {
  it('puts those of both markets together', async () => {
    expect(await askPrices(ports, region, both)).toEqual({
      prices: { 'm5.large': { onDemandMicro: 96_000, spotMicro: { 'us-east-1a': 35_000 } } },
      problems: [],
    });
  });

  it('tells what could not be asked and goes on with the rest', async () => {
    const asked = await askPrices({ ...ports, onDemandPrices: unreachable }, region, both);
    expect(asked).toEqual({
      prices: { 'm5.large': { spotMicro: { 'us-east-1a': 35_000 } } },
      problems: [
        {
          field: 'onDemandPrices',
          code: 'timeout',
          message: 'could not be asked: GetProducts: no answer',
        },
      ],
    });
  });

  it('asks nobody where no price is wanted', async () => {
    const none = { onDemandPrices: unreachable, spotPrices: unreachable };
    const asked = await askPrices(none, region, { onDemand: [], spot: [] });
    expect(asked).toEqual({ problems: [] });
  });
});
