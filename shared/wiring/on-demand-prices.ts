import { PricingClient } from '@aws-sdk/client-pricing';
import type { CallCounter } from '#adapters/aws/call-counter.ts';
import { clientOptions } from '#adapters/aws/client-options.ts';
import { pricingOnDemandPrices } from '#adapters/aws/pricing-on-demand-prices.ts';
import type { OnDemandPrices } from '#ports/on-demand-prices.ts';

/**
 * List prices, with our own credentials for clusters of every account, since they are the same in each. No client is made
 * before a price is asked for, and a price list out of reach is tried once: its look waits for it.
 */
export const onDemandPrices = (calls: CallCounter): OnDemandPrices =>
  pricingOnDemandPrices({
    clientIn: (region) =>
      calls.watch(new PricingClient({ ...clientOptions, region, maxAttempts: 1 })),
  });
