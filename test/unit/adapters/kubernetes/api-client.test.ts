import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type ApiClient,
  type ApiClientOptions,
  createApiClient,
} from '#adapters/kubernetes/api-client.ts';
import { apiStatusOf } from '#adapters/kubernetes/api-error.ts';
import {
  type Answer,
  type FakeApiServer,
  json,
  newAuthority,
  refusal,
  startFakeApiServer,
} from '../../../helpers/fake-api-server.ts';

let server: FakeApiServer;
const clients: ApiClient[] = [];
const clientOf = (options: ApiClientOptions = {}): ApiClient => {
  const client = createApiClient(server.access, options);
  clients.push(client);
  return client;
};

beforeAll(async () => {
  server = await startFakeApiServer();
});
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});
afterAll(() => server.stop());

describe('API client', () => {
  it('asks with the bearer token and the query, and reads JSON', async () => {
    let authorization: string | undefined;
    server.answer((request, response) => {
      authorization = request.headers.authorization;
      json(200, { items: ['ü'] })(request, response);
    });
    expect(await clientOf().get('/api/v1/pods', { limit: '5', continue: 'a b' })).toEqual({
      items: ['ü'],
    });
    expect(authorization).toBe('Bearer secret');
    expect(server.requests).toEqual(['GET /api/v1/pods?limit=5&continue=a+b']);
  });

  it('reads the token anew for each request', async () => {
    const seen: unknown[] = [];
    server.answer((request, response) => {
      seen.push(request.headers.authorization);
      json(200, {})(request, response);
    });
    let token = 'first';
    const client = clientOf({ token: () => token });
    await client.get('/a');
    token = 'second';
    await client.get('/a');
    expect(seen).toEqual(['Bearer first', 'Bearer second']);
  });

  it('uses one connection for requests one after another', async () => {
    server.answer(json(200, {}));
    const before = server.connections();
    const client = clientOf();
    for (let index = 0; index < 5; index += 1) await client.get('/a');
    expect(server.connections() - before).toBe(1);
  });

  it('unpacks gzip', async () => {
    server.answer((request, response) => {
      expect(request.headers['accept-encoding']).toBe('gzip');
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(gzipSync('{"a":1}'));
    });
    expect(await clientOf().get('/a')).toEqual({ a: 1 });
  });

  it.each([
    [400, 'invalid'],
    [401, 'forbidden'],
    [403, 'forbidden'],
    [404, 'notFound'],
    [409, 'conflict'],
    [410, 'conflict'],
    [422, 'invalid'],
    [500, 'unavailable'],
    [504, 'timeout'],
  ])('answers %i as %s, with what the server said', async (status, code) => {
    server.answer(refusal(status, 'SoItIs'));
    const error = await clientOf()
      .get('/api/v1/pods')
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code,
      message: `GET /api/v1/pods: ${status} SoItIs it is`,
    });
    expect(apiStatusOf(error)).toMatchObject({ httpStatus: status, reason: 'SoItIs' });
    expect(server.requests).toHaveLength(1);
  });

  it('waits as long as a throttled answer asks for, and asks again', async () => {
    server.answer(refusal(429, 'TooManyRequests', { 'retry-after': '1' }), json(200, { a: 1 }));
    const before = performance.now();
    expect(await clientOf().get('/a')).toEqual({ a: 1 });
    expect(performance.now() - before).toBeGreaterThanOrEqual(990);
  });

  it('gives up on a server that goes on throttling, or asks for too long a wait', async () => {
    server.answer(refusal(429, 'TooManyRequests'));
    await expect(clientOf().get('/a')).rejects.toMatchObject({
      code: 'throttled',
      retryable: true,
    });
    expect(server.requests).toHaveLength(3);
    server.answer(refusal(429, 'TooManyRequests', { 'retry-after': '3600' }));
    await expect(clientOf().get('/a')).rejects.toMatchObject({ code: 'throttled' });
    expect(server.requests).toHaveLength(1);
  });

  it('asks again where the server is not ready for a moment', async () => {
    server.answer(refusal(503, 'ServiceUnavailable'), json(200, { a: 1 }));
    expect(await clientOf().get('/a')).toEqual({ a: 1 });
  });

  it('asks again on a connection that the server has closed meanwhile', async () => {
    server.answer((_request, response) => response.socket?.destroy(), json(200, { a: 1 }));
    expect(await clientOf().get('/a')).toEqual({ a: 1 });
  });

  it('calls a body that ends too soon unavailable, never an answer', async () => {
    server.answer((_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"items":[]}');
      setImmediate(() => response.socket?.destroy());
    });
    await expect(clientOf({ retries: 0 }).get('/a')).rejects.toMatchObject({ code: 'unavailable' });
    const whole = gzipSync(JSON.stringify({ items: ['a'.repeat(1000)] }));
    server.answer((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(whole.subarray(0, whole.length - 10));
    });
    await expect(clientOf({ retries: 0 }).get('/a')).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('calls an answer that is no JSON unavailable: a proxy may be speaking', async () => {
    server.answer((_request, response) => response.end('<html>'));
    await expect(clientOf({ retries: 0 }).get('/a')).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('follows no redirect', async () => {
    server.answer(json(302, {}, { location: 'https://127.0.0.1:1/elsewhere' }));
    await expect(clientOf().get('/a')).rejects.toMatchObject({
      code: 'invalid',
      message: 'GET /a: 302 a redirect, which is not followed',
    });
    expect(server.requests).toHaveLength(1);
  });

  it('reads no more than it may, packed or not', async () => {
    const client = clientOf({ maxBytes: 1_000 });
    server.answer(json(200, { a: 'x'.repeat(2_000) }));
    await expect(client.get('/a')).rejects.toMatchObject({ code: 'invalid' });
    server.answer((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(gzipSync('x'.repeat(1_000_000)));
    });
    await expect(client.get('/a')).rejects.toThrow(/larger than 1000 bytes/);
  });

  it('waits no longer than it may for an answer', async () => {
    server.answer((_request, response) => {
      response.writeHead(200);
      response.write('{');
    });
    await expect(clientOf({ totalMs: 100 }).get('/a')).rejects.toMatchObject({
      code: 'timeout',
      message: 'GET /a: no answer within 100 ms',
    });
  });

  it('waits for an answer a third of a life of a function, unless told otherwise', async () => {
    const limit = vi.spyOn(AbortSignal, 'timeout');
    server.answer(json(200, {}));
    await clientOf().get('/a');
    expect(limit.mock.calls).toEqual([[10_000]]);
    limit.mockRestore();
  });

  it.each([
    ['sends not even a header', () => {}],
    [
      'answers and then says nothing',
      (_request, response) => {
        response.writeHead(200);
        response.flushHeaders();
      },
    ],
  ] satisfies [string, Answer][])('ends a watch whose server %s', async (_how, answer) => {
    server.answer(answer);
    const { signal } = new AbortController();
    const lines = clientOf({ silenceMs: 100 }).lines('/api/v1/pods', { watch: 'true' }, signal);
    await expect(lines.next()).rejects.toMatchObject({
      code: 'timeout',
      message: 'GET /api/v1/pods: silent for 100 ms',
    });
  });

  it('waits no longer than it may for a connection', async () => {
    const silent = await import('node:net').then(({ createServer }) => createServer(() => {}));
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
    const { port } = silent.address() as { port: number };
    const access = { ...server.access, server: `https://127.0.0.1:${port}` };
    const client = createApiClient(access, { connectMs: 100, retries: 0 });
    await expect(client.get('/a')).rejects.toMatchObject({ code: 'timeout' });
    client.close();
    silent.close();
  });

  it('trusts only the CA it was given', async () => {
    server.answer(json(200, {}));
    const other = await startFakeApiServer(newAuthority());
    const client = createApiClient({ ...server.access, ca: other.access.ca });
    await expect(client.get('/a')).rejects.toMatchObject({ code: 'invalid' });
    expect(server.requests).toEqual([]);
    client.close();
    await other.stop();
  });

  it('calls a server that is not there unavailable', async () => {
    const client = createApiClient(
      { ...server.access, server: 'https://127.0.0.1:1' },
      { retries: 0 },
    );
    await expect(client.get('/a')).rejects.toMatchObject({ code: 'unavailable' });
    client.close();
  });
});
