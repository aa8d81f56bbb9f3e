import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AutoScalingClient, DescribeAutoScalingGroupsCommand } from '@aws-sdk/client-auto-scaling';
import { expect, it } from 'vitest';
import { callCounter } from '#adapters/aws/call-counter.ts';

it('counts every attempt of a call by service and name, and begins anew once asked', async () => {
  const server = createServer((_, response) => response.writeHead(503).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const counter = callCounter();
  const client = counter.watch(
    new AutoScalingClient({
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      region: 'us-east-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
      maxAttempts: 2,
    }),
  );
  await expect(client.send(new DescribeAutoScalingGroupsCommand({}))).rejects.toThrow();
  expect([...counter.take()]).toEqual([['AutoScaling.DescribeAutoScalingGroups', 2]]);
  expect([...counter.take()]).toEqual([]);
  client.destroy();
  server.close();
});
