import { describe, expect, it } from 'vitest';
import type { PodEvent } from '#cluster/pod-event.ts';
import type { PodView } from '#cluster/snapshot.ts';
import { type PodTidings, type Telling, tellPods } from '#operations/tell-pods.ts';
import { PortError } from '#ports/port-error.ts';
import { demands } from '../../helpers/simulated-cluster.ts';

const minute = 60_000;
const startMs = Date.UTC(2026, 0, 5);

const podOf = (index: number): PodView => ({
  ...demands(100),
  namespace: 'default',
  name: `pod-${index}`,
  uid: `uid-${String((index * 7919) % 100_003).padStart(6, '0')}`,
  labels: {},
  annotations: {},
  schedulerName: 'default-scheduler',
  phase: 'Pending',
  gated: false,
});

const stuckFor = (pods: readonly PodView[], message: string): PodTidings['stuck'] =>
  pods.map(({ name }) => ({
    pod: `default/${name}`,
    reasons: [{ group: 'workers', code: 'insufficientResource', message }],
  }));

/** Takes looks one after another, each with the memory that the one before left. */
const teller = (post: (event: PodEvent) => Promise<void> = async () => {}) => {
  let nowMs = startMs;
  let memory: Pick<Telling, 'told' | 'toldUpTo'> = { told: {} };
  const posted: PodEvent[] = [];
  const clusterApi = {
    snapshot: () => Promise.reject(new Error('not asked for')),
    postPodEvent: async (event: PodEvent) => {
      await post(event);
      posted.push(event);
    },
  };
  return {
    posted,
    advance: (ms: number) => {
      nowMs += ms;
    },
    look: async (over: Partial<PodTidings>): Promise<Telling> => {
      const telling = await tellPods(clusterApi, {
        pods: [],
        scaleUps: [],
        stuck: [],
        fits: [],
        clock: { nowMs: () => nowMs },
        ...memory,
        ...over,
      });
      const { told, toldUpTo } = telling;
      memory = { told, ...(toldUpTo === undefined ? {} : { toldUpTo }) };
      return telling;
    },
  };
};

describe('telling pods', () => {
  it('tells every one of very many pods, and none of them twice', async () => {
    const pods = Array.from({ length: 5_000 }, (_, index) => podOf(index));
    const { posted, look, advance } = teller();
    for (let count = 0; count < 40; count += 1) {
      await look({ pods, stuck: stuckFor(pods, 'too small') });
      advance(minute);
    }
    expect(posted).toHaveLength(5_000);
    expect(new Set(posted.map(({ pod }) => pod)).size).toBe(5_000);
  });

  it('tells of a raise at once, though another group was named a moment ago, and of a refusal later', async () => {
    const pods = [podOf(1)];
    const { posted, look, advance } = teller();
    const raiseOf = (group: string): Partial<PodTidings> => ({
      pods,
      scaleUps: [
        {
          scaleUp: { group, from: 0, to: 1, pods: ['default/pod-1'], reason: 'why' },
          fate: 'raised',
        },
      ],
    });
    await look(raiseOf('workers-a'));
    advance(10_000);
    await look(raiseOf('workers-b'));
    await look({ pods, stuck: stuckFor(pods, 'too small') });
    expect(posted.map(({ message }) => /workers-./.exec(message)?.[0])).toEqual([
      'workers-a',
      'workers-b',
    ]);
  });

  it('gives every pod its turn where more wait than can be remembered', async () => {
    const pods = Array.from({ length: 12_000 }, (_, index) => podOf(index));
    const { posted, look, advance } = teller();
    for (let count = 0; count < 60; count += 1) {
      await look({ pods, stuck: stuckFor(pods, 'too small') });
      advance(minute);
    }
    expect(new Set(posted.map(({ pod }) => pod)).size).toBe(12_000);
  });

  it('says a changed reason again, but not within five minutes', async () => {
    const pods = [podOf(1)];
    const { posted, look, advance } = teller();
    await look({ pods, stuck: stuckFor(pods, 'too small') });
    advance(4 * minute);
    await look({ pods, stuck: stuckFor(pods, 'at its maximum') });
    expect(posted).toHaveLength(1);
    advance(2 * minute);
    await look({ pods, stuck: stuckFor(pods, 'at its maximum') });
    await look({ pods, stuck: stuckFor(pods, 'at its maximum') });
    expect(posted.map(({ message }) => message)).toEqual([
      expect.stringContaining('too small'),
      expect.stringContaining('at its maximum'),
    ]);
  });

  it('is not silenced by a clock that was set back', async () => {
    const pods = [podOf(1)];
    const { posted, look, advance } = teller();
    await look({ pods, stuck: stuckFor(pods, 'too small') });
    advance(-60 * minute);
    await look({ pods, stuck: stuckFor(pods, 'at its maximum') });
    expect(posted).toHaveLength(2);
  });

  it('begins no post after three seconds: a slow API server must not hold the lease', async () => {
    const pods = Array.from({ length: 100 }, (_, index) => podOf(index));
    const slow = teller(async () => slow.advance(1_000));
    await slow.look({ pods, stuck: stuckFor(pods, 'too small') });
    expect(slow.posted.length).toBeLessThan(30);
    while (slow.posted.length < 100) {
      const before = slow.posted.length;
      await slow.look({ pods, stuck: stuckFor(pods, 'too small') });
      expect(slow.posted.length).toBeGreaterThan(before);
    }
  });

  it('remembers what failed as not said, and a pod that is gone as said', async () => {
    const pods = [podOf(1), podOf(2)];
    const { look } = teller(async ({ pod }) => {
      throw new PortError(pod === 'pod-1' ? 'notFound' : 'unavailable', 'no');
    });
    const telling = await look({ pods, stuck: stuckFor(pods, 'too small') });
    expect(Object.keys(telling.told)).toEqual([podOf(1).uid]);
    expect(telling.failure?.code).toBe('unavailable');
  });

  it('does not claim a raise that somebody else made', async () => {
    const pods = [podOf(1)];
    const scaleUp = { group: 'workers', from: 1, to: 2, pods: ['default/pod-1'], reason: 'why' };
    const { posted, look } = teller();
    await look({ pods, scaleUps: [{ scaleUp, fate: 'already' }] });
    expect(posted[0]?.message).toMatch(/^Somebody else has raised workers from 1 to 2/);
  });
});
