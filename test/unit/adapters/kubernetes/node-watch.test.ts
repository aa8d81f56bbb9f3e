import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createApiClient } from '#adapters/kubernetes/api-client.ts';
import { type NodeChange, watchNodes } from '#adapters/kubernetes/node-watch.ts';
import { readWatchedNode } from '#adapters/kubernetes/watched-node.ts';
import { json, startFakeApiServer } from '../../../helpers/fake-api-server.ts';

const nodeOf = (name: string, version: string, ready: string) => ({
  metadata: { name, uid: `uid-${name}`, resourceVersion: version, labels: { pool: 'a' } },
  spec: { providerID: 'aws:///z/i-1' },
  status: {
    images: [{ names: ['image'], sizeBytes: 1 }],
    conditions: [
      {
        type: 'Ready',
        status: ready,
        reason: 'KubeletReady',
        message: 'long',
        lastHeartbeatTime: 'now',
      },
    ],
  },
});
const seen = (name: string, status: string) => ({
  name,
  uid: `uid-${name}`,
  conditions: [{ type: 'Ready', status, reason: 'KubeletReady' }],
});

describe('node watch', () => {
  it('lists nodes, then tells of changes; events and bookmarks are signs of life, lists are not', async () => {
    const ending = new AbortController();
    const server = await startFakeApiServer();
    const life: number[] = [];
    const changes: NodeChange[] = [];
    server.answer(
      json(200, { metadata: { resourceVersion: '10' }, items: [nodeOf('a', '9', 'True')] }),
      (_request, response) => {
        const write = (type: string, object: unknown) =>
          response.write(`${JSON.stringify({ type, object })}\n`);
        write('MODIFIED', nodeOf('a', '11', 'False'));
        write('BOOKMARK', { metadata: { resourceVersion: '12' } });
        write('DELETED', nodeOf('a', '13', 'False'));
      },
    );
    const client = createApiClient(server.access, { retries: 0 });
    const watch = watchNodes(client, {
      signal: ending.signal,
      random: () => 0,
      sleep: async (ms) => pause(ms),
      onTrouble: () => {},
      onHeard: () => life.push(changes.length),
    });
    for await (const change of watch) {
      changes.push(change);
      if (change.kind === 'gone') ending.abort();
    }
    expect(changes).toEqual([
      { kind: 'listed', objects: [seen('a', 'True')] },
      { kind: 'changed', object: seen('a', 'False') },
      { kind: 'gone', object: seen('a', 'False') },
    ]);
    expect(life).toEqual([1, 2, 2]);
    expect(server.requests[0]).toMatch(/^GET \/api\/v1\/nodes\?limit=/);
    client.close();
    await server.stop();
  });

  it.each([
    [null],
    ['x'],
    [{}],
    [{ metadata: null }],
    [{ metadata: { name: 'a' } }],
    [{ metadata: { name: 1, uid: 2 } }],
  ])('takes %j for no node', (object) => {
    expect(readWatchedNode(object)).toBeUndefined();
  });

  it('passes over conditions that it cannot read', () => {
    const conditions = [null, {}, { type: 'Ready' }, { type: 'A', status: 'True', reason: '' }];
    const object = { metadata: { name: 'a', uid: 'u' }, status: { conditions } };
    expect(readWatchedNode(object)?.conditions).toEqual([{ type: 'A', status: 'True' }]);
    expect(
      readWatchedNode({ metadata: { name: 'a', uid: 'u' }, status: { conditions: 'no' } }),
    ).toMatchObject({ conditions: [] });
  });
});
