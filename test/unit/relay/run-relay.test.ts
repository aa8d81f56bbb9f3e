import { describe, expect, it } from 'vitest';
import { heartbeatDetail } from '#events/heartbeat.ts';
import { nodeSignalDetail } from '#events/node-signal.ts';
import { podPendingDetail } from '#events/pod-pending.ts';
import { runRelay } from '../../../relay/run-relay.ts';
import { virtualTimers } from '../../helpers/virtual-timers.ts';

const pod = { namespace: 'shop', name: 'web-1', uid: 'uid-web-1', unschedulableSince: '10:00' };
const node = { name: 'n', uid: 'uid-n', conditions: [{ type: 'Ready', status: 'False' }] };

describe('the relay', () => {
  it('tells of pods and nodes, beats, and sends what it has when it ends', async () => {
    const timers = virtualTimers();
    const ending = new AbortController();
    const ended = new Promise<void>((done) =>
      ending.signal.addEventListener('abort', () => done()),
    );
    const sent: [string, object][] = [];
    const running = runRelay({
      cluster: 'prod',
      network: 'main',
      timers,
      random: () => 0.5,
      now: () => '2026-01-01T00:00:00.000Z',
      silent: () => [],
      log: () => {},
      signal: ending.signal,
      ends: {
        async *pods() {
          yield { kind: 'listed', objects: [pod] };
          await ended;
        },
        async *nodes() {
          yield { kind: 'listed', objects: [node] };
          await new Promise<void>((done) => timers.after(60_000, done));
          yield { kind: 'gone', object: node };
          await ended;
        },
        send: async (detailType, detail) => void sent.push([detailType, detail]),
      },
    });
    await timers.advance(60_000);
    expect(sent.map(([detailType]) => detailType)).toEqual(['Pod Pending', 'Heartbeat']);
    expect(podPendingDetail.parse(sent[0]?.[1]).pods).toEqual([
      { namespace: 'shop', name: 'web-1', uid: 'uid-web-1' },
    ]);
    expect(heartbeatDetail.parse(sent[1]?.[1])).toEqual({
      cluster: 'prod',
      network: 'main',
      sentAt: '2026-01-01T00:00:00.000Z',
    });
    ending.abort();
    const { flush } = await running;
    expect(await flush()).toBe(true);
    expect(sent[2]?.[0]).toBe('Node Signal');
    expect(nodeSignalDetail.parse(sent[2]?.[1])).toMatchObject({ node: 'n', change: 'gone' });
    await timers.advance(600_000);
    expect(sent).toHaveLength(3);
  });
});
