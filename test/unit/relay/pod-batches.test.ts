import { describe, expect, it } from 'vitest';
import type { PodRef } from '#events/pod-pending.ts';
import { createBatcher } from '../../../relay/batcher.ts';
import { podBatching } from '../../../relay/pod-hint.ts';
import { virtualTimers } from '../../helpers/virtual-timers.ts';

const podOf = (index: number): PodRef => ({
  namespace: 'default',
  name: `p-${index}`,
  uid: `u-${index}`,
});

const start = (options: { mostPods?: number; answers?: (() => Promise<void>)[] } = {}) => {
  const timers = virtualTimers();
  const sent: { readonly atMs: number; readonly uids: readonly string[] }[] = [];
  const waits: number[] = [];
  const answers = options.answers ?? [];
  const { add, ...batcher } = createBatcher({
    timers,
    random: () => 0.5,
    batching: podBatching(options.mostPods),
    onFailure: (_error, waitMs) => waits.push(waitMs),
    send: async (pods) => {
      sent.push({ atMs: timers.nowMs(), uids: pods.map(({ uid }) => uid) });
      await answers.shift()?.();
    },
  });
  return { timers, sent, waits, batcher: { ...batcher, add: (pod: PodRef) => add([pod]) } };
};

const refused = () => Promise.reject(new Error('the bus is away'));

describe('batches of pods', () => {
  it('sends 200 ms after the last pod seen', async () => {
    const { timers, sent, batcher } = start();
    batcher.add(podOf(1));
    await timers.advance(150);
    batcher.add(podOf(2));
    await timers.advance(199);
    expect(sent).toEqual([]);
    await timers.advance(1);
    expect(sent).toEqual([{ atMs: 350, uids: ['u-1', 'u-2'] }]);
  });

  it('sends 2 s after the first pod, however many follow', async () => {
    const { timers, sent, batcher } = start();
    for (let index = 0; index < 30; index += 1) {
      batcher.add(podOf(index));
      await timers.advance(100);
    }
    expect(sent[0]).toMatchObject({ atMs: 2_000 });
    expect(sent[0]?.uids).toHaveLength(20);
  });

  it('names a pod once where it is added twice', async () => {
    const { timers, sent, batcher } = start();
    batcher.add(podOf(1));
    batcher.add(podOf(1));
    await timers.advance(1_000);
    expect(sent).toEqual([{ atMs: 200, uids: ['u-1'] }]);
  });

  it('sends nothing where nothing was added', async () => {
    const { timers, sent, batcher } = start();
    await timers.advance(60_000);
    await batcher.flush();
    expect(sent).toEqual([]);
  });

  it('keeps a refused batch and sends it again with what has come since, after a back-off', async () => {
    const { timers, sent, waits, batcher } = start({ answers: [refused, refused] });
    batcher.add(podOf(1));
    await timers.advance(200);
    batcher.add(podOf(2));
    await timers.advance(125);
    await timers.advance(10_000);
    expect(sent).toEqual([
      { atMs: 200, uids: ['u-1'] },
      { atMs: 325, uids: ['u-1', 'u-2'] },
      { atMs: 575, uids: ['u-1', 'u-2'] },
    ]);
    expect(waits).toEqual([125, 250]);
    expect(batcher.isEmpty()).toBe(true);
  });

  it('lets the back-off grow to 15 s at most, and start anew after a success', async () => {
    const answers = [...Array.from({ length: 10 }, () => refused), async () => {}, refused];
    const { timers, waits, batcher } = start({ answers });
    batcher.add(podOf(1));
    await timers.advance(120_000);
    expect(waits).toEqual([125, 250, 500, 1_000, 2_000, 4_000, 7_500, 7_500, 7_500, 7_500]);
    batcher.add(podOf(2));
    await timers.advance(10_000);
    expect(waits.at(-1)).toBe(125);
  });

  it('has one batch on its way at a time', async () => {
    let answer = () => {};
    const slow = () => new Promise<void>((done) => (answer = done));
    const { timers, sent, batcher } = start({ answers: [slow] });
    batcher.add(podOf(1));
    await timers.advance(200);
    batcher.add(podOf(2));
    await timers.advance(5_000);
    expect(sent).toHaveLength(1);
    answer();
    await timers.advance(0);
    expect(sent[1]).toEqual({ atMs: 5_200, uids: ['u-2'] });
  });

  it('remembers only that there are pods where they are too many', async () => {
    const { timers, sent, batcher } = start({ mostPods: 3 });
    for (let index = 0; index < 4; index += 1) batcher.add(podOf(index));
    expect(batcher.remembered().flat()).toEqual([]);
    expect(batcher.isEmpty()).toBe(false);
    batcher.add(podOf(9));
    await timers.advance(200);
    expect(sent).toEqual([{ atMs: 200, uids: [] }]);
    batcher.add(podOf(10));
    await timers.advance(200);
    expect(sent[1]).toEqual({ atMs: 400, uids: ['u-10'] });
  });

  it('flushes at once what waits, and what was refused while it did', async () => {
    const { sent, batcher } = start();
    batcher.add(podOf(1));
    await batcher.flush();
    expect(sent).toEqual([{ atMs: 0, uids: ['u-1'] }]);
    expect(batcher.isEmpty()).toBe(true);
  });

  it('flushes a batch that is refused on its way once more', async () => {
    let refuse = () => {};
    const slow = () => new Promise<void>((_done, fail) => (refuse = () => fail(new Error('away'))));
    const { timers, sent, batcher } = start({ answers: [slow] });
    batcher.add(podOf(1));
    await timers.advance(200);
    batcher.add(podOf(2));
    const flushed = batcher.flush();
    refuse();
    await flushed;
    expect(sent.at(-1)?.uids).toEqual(['u-1', 'u-2']);
    expect(batcher.isEmpty()).toBe(true);
  });
});
