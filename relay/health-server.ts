import { createServer, type Server } from 'node:http';
import type { HealthAddress } from '#config/relay-settings.ts';

/**
 * Answers probes: `/livez` as long as the process turns, since a new one would find the same API server; `/readyz`
 * while every watch is alive, else 503 with the names of those that are not. Rejects where the address is
 * taken.
 */
export function startHealthServer(
  address: HealthAddress,
  silent: () => readonly string[],
): Promise<Server> {
  const server = createServer((request, response) => {
    const answer = answerTo(request.url ?? '', silent);
    response.writeHead(answer.status, { 'content-type': 'text/plain' });
    response.end(`${answer.text}\n`);
  });
  // Probes of a process that ends are not waited for.
  server.unref();
  return new Promise((done, fail) => {
    server.once('error', fail);
    server.listen(address, () => done(server));
  });
}

function answerTo(url: string, silent: () => readonly string[]) {
  if (url === '/livez') return { status: 200, text: 'ok' };
  if (url !== '/readyz') return { status: 404, text: 'ask for /livez or /readyz' };
  const watches = silent();
  if (watches.length === 0) return { status: 200, text: 'ok' };
  return { status: 503, text: `told nothing by the watch of ${watches.join(', ')}` };
}
