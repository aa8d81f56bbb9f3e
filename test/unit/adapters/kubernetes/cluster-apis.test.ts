import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ApiAccess } from '#adapters/kubernetes/api-access.ts';
import {
  type ClusterApis,
  type ClusterApisOptions,
  clusterApis,
} from '#adapters/kubernetes/cluster-apis.ts';
import { PortError } from '#ports/port-error.ts';
import {
  type Answer,
  type FakeApiServer,
  json,
  newAuthority,
  refusal,
  startFakeApiServer,
} from '../../../helpers/fake-api-server.ts';

let server: FakeApiServer;
const opened: ClusterApis[] = [];
const servers: FakeApiServer[] = [];

beforeAll(async () => {
  server = await startFakeApiServer();
  servers.push(server);
});
afterEach(() => {
  for (const apis of opened.splice(0)) apis.close();
});
afterAll(() => Promise.all(servers.map((each) => each.stop())));

const emptyList = json(200, { metadata: { resourceVersion: '7' }, items: [] });
const event = {
  namespace: 'a',
  pod: 'web-0',
  podUid: 'u',
  type: 'Normal',
  reason: 'TriggeredScaleUp',
  message: 'm',
  atMs: 0,
} as const;

/** Takes one bearer token and refuses all others as the API server does. */
const onlyFor =
  (token: string, status: Answer = refusal(401, 'Unauthorized')): Answer =>
  (request, response) =>
    (request.headers.authorization === `Bearer ${token}` ? emptyList : status)(request, response);

interface Setting extends Pick<ClusterApisOptions, 'client' | 'api' | 'mostClients'> {
  /** By secret: what is read, in turn; the last one stays. */
  readonly secrets: Readonly<Record<string, readonly (ApiAccess | Error)[]>>;
  readonly nowMs?: number;
}

const start = ({ secrets, nowMs = Date.now(), ...rest }: Setting) => {
  const asked: string[] = [];
  let tokens = 0;
  const left = new Map(Object.entries(secrets).map(([name, values]) => [name, [...values]]));
  const next = async (name: string): Promise<ApiAccess> => {
    const values = left.get(name) ?? [];
    const value = values.length > 1 ? values.shift() : values[0];
    if (value === undefined) throw new PortError('notFound', `no secret ${name}`);
    if (value instanceof Error) throw value;
    return value;
  };
  const first = new Map<string, Promise<ApiAccess>>();
  const apis = clusterApis({
    ...rest,
    nowMs: () => nowMs,
    secrets: {
      read(name) {
        asked.push(`read ${name}`);
        const kept = first.get(name) ?? next(name);
        first.set(name, kept);
        return kept;
      },
      readAgain(name) {
        asked.push(`again ${name}`);
        first.set(name, next(name));
        return first.get(name) ?? next(name);
      },
    },
    eksTokens: {
      tokenFor: async ({ eksCluster }) => `${eksCluster}-${tokens}`,
      forget: () => {
        tokens += 1;
      },
    },
  });
  opened.push(apis);
  return { apis, asked };
};

describe('one look at a cluster', () => {
  it('reads the secret with its first call, once for all of them', async () => {
    server.answer(emptyList);
    const { apis, asked } = start({ secrets: { s: [server.access] } });
    const api = apis.forLook('prod', 's');
    expect(asked).toEqual([]);
    expect(await api.snapshot()).toEqual({
      snapshot: { nodes: [], pods: [], daemonSets: [], leases: [] },
      problems: [],
    });
    await api.postPodEvent(event);
    expect(asked).toEqual(['read s']);
  });

  it('fails as the secret does', async () => {
    const gone = new PortError('invalid', 'Secret s: "token" is missing');
    const { apis } = start({ secrets: { s: [gone] } });
    await expect(apis.forLook('prod', 's').snapshot()).rejects.toBe(gone);
  });

  it.each([
    ['401', refusal(401, 'Unauthorized')],
    [
      '403 for nobody',
      json(403, { reason: 'Forbidden', message: 'nodes: User "system:anonymous" cannot list' }),
    ],
  ])('reads the secret again after a %s, and goes on with the new one', async (_how, status) => {
    server.answer(onlyFor('second', status));
    const rotated = { ...server.access, token: 'second' };
    const { apis, asked } = start({ secrets: { s: [server.access, rotated] } });
    const api = apis.forLook('prod', 's');
    await expect(api.snapshot()).resolves.toBeDefined();
    await Promise.all([api.postPodEvent(event), api.postPodEvent(event)]);
    expect(asked).toEqual(['read s', 'again s']);
  });

  it('reads it again once only, also for calls side by side', async () => {
    server.answer(refusal(401, 'Unauthorized'));
    const tokens = ['a', 'b', 'c', 'd'].map((token) => ({ ...server.access, token }));
    const { apis, asked } = start({ secrets: { s: tokens } });
    const api = apis.forLook('prod', 's');
    const calls = [api.postPodEvent(event), api.postPodEvent(event), api.postPodEvent(event)];
    for (const ended of await Promise.allSettled(calls)) expect(ended.status).toBe('rejected');
    await expect(api.snapshot()).rejects.toMatchObject({ code: 'forbidden', retryable: false });
    expect(asked).toEqual(['read s', 'again s']);
  });

  it('asks the server no second time with a secret that is the same', async () => {
    server.answer(refusal(401, 'Unauthorized'));
    const { apis, asked } = start({ secrets: { s: [server.access] } });
    await expect(apis.forLook('prod', 's').postPodEvent(event)).rejects.toThrow(
      /: 401 Unauthorized.*: .* put a new one into the secret s \(/,
    );
    expect(asked).toEqual(['read s', 'again s']);
    expect(server.requests).toHaveLength(1);
  });

  it('does not read it again where the identity is known and may not', async () => {
    server.answer(
      json(403, { reason: 'Forbidden', message: 'nodes: User "outrider" cannot list' }),
    );
    const { apis, asked } = start({ secrets: { s: [server.access] } });
    await expect(apis.forLook('prod', 's').snapshot()).rejects.toMatchObject({ code: 'forbidden' });
    expect(asked).toEqual(['read s']);
  });

  it('asks as the holder of an EKS token, and with a new one once it is refused', async () => {
    server.answer(onlyFor('prod-1-1'));
    const { server: url, ca } = server.access;
    const { apis } = start({ secrets: { s: [{ server: url, ca, eksCluster: 'prod-1' }] } });
    await expect(apis.forLook('prod', 's').snapshot()).resolves.toBeDefined();
  });
});

describe('a client certificate', () => {
  it('says who asks, without a token; that it ends soon is a problem, that it ended an error', async () => {
    const authority = await newAuthority();
    const asking: (IncomingMessage['headers']['authorization'] | string)[] = [];
    const strict = await startFakeApiServer(Promise.resolve(authority), { clientCa: authority.ca });
    servers.push(strict);
    strict.answer((request, response) => {
      const socket = request.socket as import('node:tls').TLSSocket;
      asking.push(request.headers.authorization, String(socket.getPeerCertificate().subject.CN));
      emptyList(request, response);
    });
    const { server: url, ca } = strict.access;
    const access = {
      server: url,
      ca,
      clientCertificate: readFileSync(authority.certificateFile, 'utf8'),
      clientKey: readFileSync(authority.keyFile, 'utf8'),
    };
    const inDays = (days: number) => Date.now() + days * 86_400_000;
    const lookIn = (days: number) =>
      start({ secrets: { s: [access] }, nowMs: inDays(days) }).apis.forLook('prod', 's');
    expect((await lookIn(0).snapshot()).problems).toEqual([]);
    expect(asking.slice(0, 2)).toEqual([undefined, 'kube-apiserver']);
    expect((await lookIn(360).snapshot()).problems.map(({ code }) => code)).toEqual([
      'clientCertificateExpires',
    ]);
    await expect(lookIn(366).snapshot()).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('expired at'),
    });
  });
});

describe('clusters side by side', () => {
  const slowly =
    (piece: string): Answer =>
    (_request, response) => {
      response.writeHead(200);
      response.write(piece);
      const timer = setInterval(() => response.write(piece), 5);
      response.on('close', () => clearInterval(timer));
    };

  it.each([
    ['never answers', () => {}, 'timeout', /no answer within 150 ms/],
    ['lets its body drip', slowly(' '), 'timeout', /no answer within 150 ms/],
    [
      'sends a body without end',
      slowly(' '.repeat(200_000)),
      /invalid|timeout/,
      /larger than 100000|150 ms/,
    ],
    ['refuses', refusal(401, 'Unauthorized'), 'forbidden', /401/],
    [
      'throttles for long',
      refusal(429, 'TooManyRequests', { 'retry-after': '9' }),
      'timeout',
      /150 ms/,
    ],
    ['breaks each connection', (_q, r) => r.socket?.destroy(), /unavailable|timeout/, /./],
  ] satisfies [string, Answer, string | RegExp, RegExp][])(
    'do not wait for one whose server %s',
    async (_how, answer, code, message) => {
      const bad = await startFakeApiServer();
      servers.push(bad);
      bad.answer(answer);
      server.answer(emptyList);
      const hasty = start({
        secrets: { bad: [bad.access] },
        client: { totalMs: 150, maxBytes: 100_000 },
      });
      const { apis } = start({ secrets: { good: [server.access] } });
      const ended = hasty.apis
        .forLook('bad', 'bad')
        .snapshot()
        .catch((error: unknown) => error);
      await expect(apis.forLook('good', 'good').snapshot()).resolves.toBeDefined();
      const error = await ended;
      expect(error).toMatchObject({
        code: typeof code === 'string' ? code : expect.stringMatching(code),
        message: expect.stringMatching(message),
      });
    },
  );

  it('end a look whose server drips page after page', async () => {
    server.answer((request, response) => {
      setTimeout(() => {
        const items = [{ metadata: { name: 'x', namespace: 'a', uid: 'u' } }];
        json(200, { metadata: { resourceVersion: '7', continue: 'more' }, items })(
          request,
          response,
        );
      }, 20);
    });
    const { apis } = start({ secrets: { s: [server.access] }, api: { snapshotMs: 200 } });
    await expect(apis.forLook('prod', 's').snapshot()).rejects.toMatchObject({
      code: 'timeout',
      message: 'the snapshot took more than 200 ms',
    });
    const asked = server.requests.length;
    await new Promise((done) => setTimeout(done, 100));
    // At most those that were under way.
    expect(server.requests.length - asked).toBeLessThanOrEqual(4);
  });

  it('keep the connections of so many clusters, and no more', async () => {
    server.answer(emptyList);
    const secrets = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [
        `s${index}`,
        [{ ...server.access, token: `token-${index}` }],
      ]),
    );
    const { apis } = start({ secrets, mostClients: 3 });
    for (const name of Object.keys(secrets)) await apis.forLook(name, name).snapshot();
    await expect.poll(() => server.openConnections()).toBeLessThanOrEqual(3 * 4);
    const before = server.connections();
    await apis.forLook('s29', 's29').snapshot();
    expect(server.connections()).toBe(before);
  });

  it('never say a secret in an error', async () => {
    server.answer((request, response) =>
      json(401, { message: `bad token ${request.headers.authorization}` })(request, response),
    );
    const { apis } = start({ secrets: { s: [{ ...server.access, token: 'planted-secret' }] } });
    const error = await apis
      .forLook('prod', 's')
      .snapshot()
      .catch((thrown: unknown) => thrown as PortError);
    expect(JSON.stringify([error, (error as Error).message])).not.toContain('planted-secret');
  });
});
