import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startHealthServer } from '../../../relay/health-server.ts';

describe('health server', () => {
  it('is alive as long as it answers, and ready while no watch is silent', async () => {
    let silent: readonly string[] = ['nodes'];
    const server = await startHealthServer({ host: '127.0.0.1', port: 0 }, () => silent);
    const { port } = server.address() as AddressInfo;
    const ask = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`);
      return `${answer.status} ${(await answer.text()).trim()}`;
    };
    expect(await ask('/livez')).toBe('200 ok');
    expect(await ask('/readyz')).toBe('503 told nothing by the watch of nodes');
    silent = [];
    expect(await ask('/readyz')).toBe('200 ok');
    expect(await ask('/')).toMatch(/^404 /);
    server.close();
    server.closeAllConnections();
  });

  it('is refused an address that is taken', async () => {
    const first = await startHealthServer({ host: '127.0.0.1', port: 0 }, () => []);
    const { port } = first.address() as AddressInfo;
    const second = startHealthServer({ host: '127.0.0.1', port }, () => []);
    await expect(second).rejects.toThrow('EADDRINUSE');
    first.close();
  });
});
