import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PricingClient } from '@aws-sdk/client-pricing';

export interface SoldType {
  readonly type: string;
  readonly region: string;
  readonly dollars: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

interface AskedFilter {
  readonly Type: string;
  readonly Field: string;
  readonly Value: string;
}

interface Asked {
  readonly Filters: readonly AskedFilter[];
  readonly NextToken?: string;
}

/** One product as the price list tells it in format `aws_v1`: published terms of m5.large, less most of the reserved ones. */
export const productOf = ({ type, region, dollars, attributes }: SoldType) => {
  const sku = `SKU${type.replace(/\W/g, '')}`.toUpperCase();
  const dimension = (rate: string, unit: string, USD: string) => ({
    [`${sku}.${rate}`]: { unit, rateCode: `${sku}.${rate}`, appliesTo: [], pricePerUnit: { USD } },
  });
  return {
    product: {
      productFamily: 'Compute Instance',
      attributes: {
        servicecode: 'AmazonEC2',
        instanceType: type,
        regionCode: region,
        operatingSystem: 'Linux',
        tenancy: 'Shared',
        preInstalledSw: 'NA',
        capacitystatus: 'Used',
        operation: 'RunInstances',
        ...attributes,
      },
      sku,
    },
    serviceCode: 'AmazonEC2',
    terms: {
      OnDemand: {
        [`${sku}.JRTCKXETXF`]: {
          offerTermCode: 'JRTCKXETXF',
          priceDimensions: dimension('JRTCKXETXF.6YS6EN2CT7', 'Hrs', dollars),
        },
      },
      Reserved: {
        [`${sku}.CUZHX8X6JH`]: {
          offerTermCode: 'CUZHX8X6JH',
          priceDimensions: dimension('CUZHX8X6JH.2TG2D8R56U', 'Quantity', '294'),
        },
      },
    },
  };
};

/**
 * The price list on 127.0.0.1, for the real client: filters by TERM_MATCH, one product on a page. `refusing` makes it
 * answer as AWS refuses.
 */
export const startPriceListServer = async (sold: readonly SoldType[]) => {
  const asked: Asked[] = [];
  const state = { refusing: undefined as string | undefined };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      const question = JSON.parse(body) as Asked;
      asked.push(question);
      response.setHeader('content-type', 'application/x-amz-json-1.1');
      if (state.refusing !== undefined) {
        response.statusCode = 400;
        response.end(JSON.stringify({ __type: state.refusing, message: 'refused' }));
        return;
      }
      const found = sold
        .map(productOf)
        .filter(({ product: { attributes } }) =>
          question.Filters.every(
            ({ Type, Field, Value }) =>
              Type === 'TERM_MATCH' && (attributes as Record<string, string>)[Field] === Value,
          ),
        );
      const at = Number(question.NextToken ?? 0);
      response.end(
        JSON.stringify({
          FormatVersion: 'aws_v1',
          PriceList: found.slice(at, at + 1).map((product) => JSON.stringify(product)),
          ...(at + 1 < found.length ? { NextToken: String(at + 1) } : {}),
        }),
      );
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    asked,
    state,
    clientIn: (region: string) =>
      new PricingClient({
        region,
        endpoint: `http://127.0.0.1:${port}`,
        maxAttempts: 1,
        credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
      }),
    close: () => new Promise((closed) => server.close(closed)),
  };
};
