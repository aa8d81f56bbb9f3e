import { once } from 'node:events';
import { createServer } from 'node:net';

/** Loopback TCP ports that nobody listened on a moment ago, all different. */
export const freePorts = async (count: number): Promise<readonly number[]> => {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => {
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no TCP address');
    return address.port;
  });
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
};
