import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clockAheadMs } from '#adapters/aws/answer-clock.ts';
import { createApiClient } from '#adapters/kubernetes/api-client.ts';
import { apiServerProbe } from '#adapters/kubernetes/api-server-probe.ts';
import { recordLists } from '#adapters/kubernetes/recorded-lists.ts';
import type { RecordedPiece } from '#ports/live-recording.ts';
import {
  type Answer,
  type FakeApiServer,
  json,
  newAuthority,
  refusal,
  startFakeApiServer,
} from '../../../helpers/fake-api-server.ts';

let server: FakeApiServer;
beforeAll(async () => {
  server = await startFakeApiServer();
});
afterAll(async () => {
  await server?.stop();
});

/** Answers each path by itself; `/api/v1/pods` in two pages. */
const cluster =
  (over: Readonly<Record<string, Answer>> = {}): Answer =>
  (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'https://x');
    const own = over[pathname];
    if (own !== undefined) return own(request, response);
    if (pathname !== '/api/v1/pods') {
      return json(200, { metadata: {}, items: [] })(request, response);
    }
    const second = searchParams.get('continue') === 'more';
    const pod = {
      metadata: {
        name: second ? 'b' : 'a',
        namespace: 'default',
        managedFields: [{ manager: 'x' }],
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': 'planted' },
      },
      spec: {
        containers: [
          {
            name: 'main',
            env: [{ name: 'A', value: 'planted' }],
            args: ['planted'],
            command: ['x'],
          },
        ],
      },
    };
    json(200, { metadata: second ? {} : { continue: 'more' }, items: [pod] })(request, response);
  };

const recorded = async () => {
  const pieces: RecordedPiece[] = [];
  const client = createApiClient(server.access);
  try {
    const notes = await recordLists(client, async (piece) => void pieces.push(piece));
    return { pieces, notes };
  } finally {
    client.close();
  }
};

describe('recorded lists', () => {
  it('have every page, in order, without what must not be kept', async () => {
    server.answer(cluster());
    const { pieces, notes } = await recorded();
    const pods = pieces.filter(({ name }) => name === 'pods');
    expect(pods.map(({ count }) => count)).toEqual([1, 1]);
    expect(pods.map(({ content }) => content)).toMatchObject([
      { kind: 'PodList', items: [{ metadata: { name: 'a' } }] },
      { kind: 'PodList', items: [{ metadata: { name: 'b' } }] },
    ]);
    const text = JSON.stringify(pieces);
    for (const secret of ['planted', 'managedFields', '"env"', '"args"', '"command"']) {
      expect(text).not.toContain(secret);
    }
    expect(notes).toEqual([]);
  });

  it('never ask for Secrets, nor for ConfigMaps but the one of priorities', async () => {
    server.answer(cluster());
    await recorded();
    expect(server.requests.length).toBeGreaterThan(5);
    for (const request of server.requests) {
      expect(request).toMatch(/^GET /);
      const isPriorities = request.includes(
        '/namespaces/kube-system/configmaps?fieldSelector=metadata.name%3Dcluster-autoscaler-priority-expander',
      );
      if (!isPriorities) expect(request).not.toMatch(/secret|configmap/i);
    }
  });

  it('leave out what the identity may not list, and say so once', async () => {
    const forbidden = refusal(403, 'Forbidden');
    server.answer(
      cluster({
        '/api/v1/namespaces': forbidden,
        '/apis/storage.k8s.io/v1/csinodes': refusal(404, 'NotFound'),
      }),
    );
    const { notes } = await recorded();
    expect(notes).toEqual([
      expect.stringMatching(/^left out, .* may not .*: csinodes, namespaces$/),
    ]);
  });

  it.each(['/api/v1/nodes', '/api/v1/pods', '/apis/apps/v1/daemonsets'])(
    'fail where %s cannot be listed, without which there is no plan',
    async (path) => {
      server.answer(cluster({ [path]: refusal(403, 'Forbidden') }));
      await expect(recorded()).rejects.toMatchObject({ code: 'forbidden' });
    },
  );

  it('fail where they cannot be kept', async () => {
    server.answer(cluster());
    const client = createApiClient(server.access);
    const full = recordLists(client, () => Promise.reject(new Error('no space')));
    await expect(full).rejects.toThrow('no space');
    client.close();
  });
});

const token = (claims: object): string =>
  `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.y`;

const probeOf = (access: FakeApiServer['access']) => {
  const client = createApiClient(access);
  const probe = apiServerProbe({
    access: async () => access,
    client: async () => client,
    clockAheadMs,
  });
  return { probe, close: client.close };
};

describe('the probe of an API server', () => {
  it("tells version, clock and the certificate's end, and tells nobody the token", async () => {
    const seen: (string | undefined)[] = [];
    server.answer((request, response) => {
      seen.push(request.headers.authorization);
      const date = new Date(Date.now() + 3_600_000).toUTCString();
      json(200, { gitVersion: 'v1.34.1' }, { date })(request, response);
    });
    const { probe, close } = probeOf(server.access);
    const facts = await probe.probe();
    close();
    expect(facts.version).toBe('v1.34.1');
    expect(Math.round((facts.clockAheadMs ?? 0) / 60_000)).toBe(60);
    expect(facts.certificateExpiresAtMs).toBeGreaterThan(Date.now());
    expect(seen).toEqual([undefined]);
  });

  it('takes a server that tells strangers nothing for one that is there', async () => {
    server.answer(refusal(401, 'Unauthorized'));
    const { probe, close } = probeOf(server.access);
    await expect(probe.probe()).resolves.toMatchObject({
      version: expect.stringMatching(/not told/),
    });
    close();
  });

  it('tells a server that fails, and one whose certificate is from elsewhere', async () => {
    server.answer(json(500, {}));
    const failing = probeOf(server.access);
    await expect(failing.probe.probe()).rejects.toMatchObject({ code: 'unavailable' });
    failing.close();
    const { ca } = await newAuthority();
    const strange = probeOf({ ...server.access, ca });
    await expect(strange.probe.probe()).rejects.toMatchObject({ code: 'invalid' });
    strange.close();
  });

  it('asks whether something may be done', async () => {
    const bodies: string[] = [];
    server.answer((request, response) => {
      request.setEncoding('utf8');
      request.on('data', (chunk: string) => bodies.push(chunk));
      request.on('end', () => json(201, { status: { allowed: true } })(request, response));
    });
    const { probe, close } = probeOf(server.access);
    const action = { verb: 'list', group: 'apps', resource: 'daemonsets' };
    expect(await probe.may(action)).toBe(true);
    close();
    expect(JSON.parse(bodies.join(''))).toMatchObject({
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: action },
    });
  });

  it.each([
    [token({ exp: 1_800_000_000 }), 1_800_000_000_000],
    [token({}), undefined],
    ['opaque', undefined],
  ])('reads when a token runs out: %s', async (given, expiresAtMs) => {
    const { probe, close } = probeOf({ ...server.access, token: given } as FakeApiServer['access']);
    const facts = await probe.access();
    close();
    expect(facts).toMatchObject({ identity: 'token' });
    expect(facts.expiresAtMs).toBe(expiresAtMs);
    expect(facts.authorityExpiresAtMs).toBeGreaterThan(Date.now());
    expect(JSON.stringify(facts)).not.toContain(given);
  });
});
