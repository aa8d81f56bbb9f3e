import { describe, expect, it } from 'vitest';
import { createApiClient } from '#adapters/kubernetes/api-client.ts';
import { type PodChange, watchPods } from '#adapters/kubernetes/pod-watch.ts';
import {
  type Answer,
  json,
  refusal,
  startFakeApiServer,
} from '../../../helpers/fake-api-server.ts';

const podOf = (name: string, version: string, since?: string) => ({
  metadata: { namespace: 'default', name, uid: `uid-${name}`, resourceVersion: version },
  status: since && {
    conditions: [
      { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', lastTransitionTime: since },
    ],
  },
});
const list = (version: string, ...items: readonly unknown[]): Answer =>
  json(200, { metadata: { resourceVersion: version }, items });
const watch =
  (...events: readonly (readonly [string, unknown])[]): Answer =>
  (_request, response) => {
    for (const [type, object] of events) response.write(`${JSON.stringify({ type, object })}\n`);
    response.end();
  };
const hang: Answer = (_request, response) => {
  response.writeHead(200);
  response.flushHeaders();
};
const bookmark = (version: string) =>
  ['BOOKMARK', { metadata: { resourceVersion: version } }] as const;

/** Watches until the server has been asked `requests` times; gives changes, waits and troubles. */
const play = async (requests: number, ...answers: readonly Answer[]) => {
  const ending = new AbortController();
  const changes: PodChange[] = [];
  const waits: number[] = [];
  const troubles: string[] = [];
  let asked = 0;
  const counted = answers.map(
    (answer): Answer =>
      (request, response) => {
        asked += 1;
        answer(request, response);
        if (asked === requests) setTimeout(() => ending.abort(), 50);
      },
  );
  const server = await startFakeApiServer();
  server.answer(...counted);
  const client = createApiClient(server.access, { retries: 0 });
  const options = {
    signal: ending.signal,
    random: () => 0.5,
    sleep: async (ms: number) => void waits.push(ms),
    onTrouble: (error: Error) => troubles.push(error.message),
  };
  for await (const change of watchPods(client, options)) changes.push(change);
  client.close();
  await server.stop();
  const versions = server.requests
    .filter((request) => request.includes('watch=true'))
    .map((request) => new URLSearchParams(request.split('?')[1]).get('resourceVersion'));
  return { changes, waits, troubles, versions, requests: [...server.requests] };
};

describe('pod watch', () => {
  it('lists pods without a node, then tells of changes from where the list was', async () => {
    const { changes, versions, requests } = await play(
      3,
      list('10', podOf('a', '9')),
      watch(['MODIFIED', podOf('a', '11', '10:00')], ['DELETED', podOf('a', '12', '10:00')]),
      hang,
    );
    expect(requests[0]).toContain('fieldSelector=spec.nodeName%3D%2Cstatus.phase%3DPending');
    expect(versions[0]).toBe('10');
    const a = { namespace: 'default', name: 'a', uid: 'uid-a' };
    expect(changes).toEqual([
      { kind: 'listed', objects: [a] },
      { kind: 'changed', object: { ...a, unschedulableSince: '10:00' } },
      { kind: 'gone', object: { ...a, unschedulableSince: '10:00' } },
    ]);
  });

  it('goes on from the last version seen where the server ends the watch', async () => {
    const { versions, waits, troubles } = await play(
      4,
      list('10'),
      watch(['ADDED', podOf('a', '11')], bookmark('15')),
      watch(bookmark('20')),
      hang,
    );
    expect(versions).toEqual(['10', '15', '20']);
    expect(waits).toEqual([0, 0]);
    expect(troubles).toEqual([]);
  });

  it('slows down where watches end again and again with nothing', async () => {
    const nothing: Answer = (request, response) =>
      (request.url?.includes('watch=true') ? watch() : list('10'))(request, response);
    const { waits } = await play(9, nothing);
    expect(waits.slice(0, 6)).toEqual([0, 250, 500, 1_000, 2_000, 4_000]);
  });

  it.each([
    ['as an answer', refusal(410, 'Expired')],
    [
      'within the watch',
      watch(['ERROR', { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' }]),
    ],
  ])('lists again where its version is too old, said %s', async (_how, tooOld) => {
    const { changes, versions } = await play(
      4,
      list('10', podOf('a', '9')),
      tooOld,
      list('30', podOf('b', '29')),
      hang,
    );
    expect(changes).toMatchObject([
      { kind: 'listed', objects: [{ name: 'a' }] },
      { kind: 'listed', objects: [{ name: 'b' }] },
    ]);
    expect(versions).toEqual(['10', '30']);
  });

  const tooNew = 'Too large resource version: 100000, current: 500';
  it.each([
    ['as an answer', refusal(504, 'Timeout')],
    [
      'within the watch',
      watch(['ERROR', { kind: 'Status', code: 504, reason: 'Timeout', message: tooNew }]),
    ],
  ])(
    'lists again where etcd was restored to before its version, said %s',
    async (_how, restored) => {
      const { changes, versions } = await play(
        4,
        list('100000'),
        restored,
        list('500', podOf('b', '499')),
        hang,
      );
      expect(versions).toEqual(['100000', '500']);
      expect(changes.at(-1)).toMatchObject({ kind: 'listed', objects: [{ name: 'b' }] });
    },
  );

  it('lists again after three watches in a row that told nothing, however they ended', async () => {
    const cut: Answer = (_request, response) => response.socket?.destroy();
    const { versions } = await play(
      6,
      list('100000'),
      watch(),
      cut,
      refusal(500, 'InternalError'),
      list('500'),
      hang,
    );
    expect(versions).toEqual(['100000', '100000', '100000', '500']);
  });

  it('does not list again where a bookmark came in between', async () => {
    const { versions } = await play(
      7,
      list('1'),
      watch(),
      watch(),
      watch(bookmark('2')),
      watch(),
      watch(),
      hang,
    );
    expect(versions).toEqual(['1', '1', '1', '2', '2', '2']);
  });

  it('does not run in circles where every list is too old at once', async () => {
    const gone = refusal(410, 'Expired');
    const { waits } = await play(
      8,
      list('1'),
      gone,
      list('1'),
      gone,
      list('1'),
      gone,
      list('1'),
      gone,
      hang,
    );
    expect(waits.slice(0, 3)).toEqual([0, 250, 500]);
  });

  it('waits longer from failure to failure, with jitter, 30 s at most', async () => {
    const { waits, troubles } = await play(10, refusal(500, 'InternalError'));
    expect(waits.slice(0, 9)).toEqual([
      250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000,
    ]);
    expect(troubles[0]).toBe('GET /api/v1/pods: 500 InternalError it is');
  });

  it('goes on from where it was after a connection that broke within a line', async () => {
    const broken: Answer = (_request, response) => {
      response.write(
        `${JSON.stringify({ type: 'ADDED', object: podOf('a', '11') })}\n{"type":"ADD`,
      );
      setTimeout(() => response.socket?.destroy(), 20);
    };
    const { versions, troubles } = await play(3, list('10'), broken, hang);
    expect(versions).toEqual(['10', '11']);
    expect(troubles).toHaveLength(1);
  });

  it('lists again where an event cannot be read', async () => {
    const { requests } = await play(4, list('10'), watch(['ADDED', {}]), list('20'), hang);
    expect(requests.filter((request) => !request.includes('watch=true'))).toHaveLength(2);
  });

  it('passes over what is no pod and goes on', async () => {
    const odd = { metadata: { resourceVersion: '12' } };
    const { changes, versions } = await play(
      3,
      list('10', null, 'x', {}),
      watch(['ADDED', odd]),
      hang,
    );
    expect(changes).toEqual([{ kind: 'listed', objects: [] }]);
    expect(versions).toEqual(['10', '12']);
  });
});
