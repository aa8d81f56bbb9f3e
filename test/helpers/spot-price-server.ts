import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EC2Client } from '@aws-sdk/client-ec2';

export interface ToldSpotPrice {
  readonly type: string;
  readonly zone: string;
  readonly dollars: string;
  readonly at: string;
}

const itemOf = ({ type, zone, dollars, at }: ToldSpotPrice): string =>
  `<item><availabilityZone>${zone}</availabilityZone><instanceType>${type}</instanceType><productDescription>Linux/UNIX</productDescription><spotPrice>${dollars}</spotPrice><timestamp>${at}</timestamp></item>`;

/** EC2's Spot price history on 127.0.0.1, for the real client, in the form of EC2's query API. */
export const startSpotPriceServer = async (told: readonly ToldSpotPrice[]) => {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      const asked = new Set(
        [...new URLSearchParams(body)]
          .filter(([key]) => key.startsWith('InstanceType.'))
          .map(([, type]) => type),
      );
      const items = told.filter(({ type }) => asked.has(type)).map(itemOf);
      response.setHeader('content-type', 'text/xml');
      response.end(
        `<DescribeSpotPriceHistoryResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><requestId>1</requestId><spotPriceHistorySet>${items.join('')}</spotPriceHistorySet><nextToken></nextToken></DescribeSpotPriceHistoryResponse>`,
      );
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    client: new EC2Client({
      region: 'us-east-1',
      endpoint: `http://127.0.0.1:${port}`,
      maxAttempts: 1,
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    }),
    close: () => new Promise((closed) => server.close(closed)),
  };
};
