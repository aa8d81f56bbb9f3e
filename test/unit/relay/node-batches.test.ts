import { describe, expect, it } from 'vitest';
import { createBatcher } from '../../../relay/batcher.ts';
import type { NodeNews } from '../../../relay/node-changes.ts';
import { nodeBatching } from '../../../relay/node-signal.ts';
import { virtualTimers } from '../../helpers/virtual-timers.ts';

const newsOf = (
  uid: string,
  status = 'True',
  change: NodeNews['change'] = 'changed',
): NodeNews => ({
  node: `name-${uid}`,
  uid,
  change,
  conditions: change === 'gone' ? [] : [{ type: 'Ready', status }],
});

const start = (
  options: { answers?: (() => Promise<void>)[]; mostPerMinute?: number; mostKeys?: number } = {},
) => {
  const timers = virtualTimers();
  const sent: { readonly atMs: number; readonly news: NodeNews; readonly more: number }[] = [];
  const waits: number[] = [];
  const { answers = [], ...bounds } = options;
  const batcher = createBatcher({
    timers,
    random: () => 0.5,
    batching: { ...nodeBatching, ...bounds },
    onFailure: (_error, waitMs) => waits.push(waitMs),
    send: async (news, more) => {
      sent.push({ atMs: timers.nowMs(), news, more });
      await answers.shift()?.();
    },
  });
  const told = () => sent.map(({ news, more }) => `${news.uid} +${more}`);
  return { timers, sent, told, waits, batcher };
};

const refused = () => Promise.reject(new Error('the bus is away'));

describe('batches of node news', () => {
  it('tells of each node by itself, a second after its last change', async () => {
    const { timers, sent, batcher } = start();
    batcher.add(newsOf('a'));
    await timers.advance(600);
    batcher.add(newsOf('b'));
    batcher.add(newsOf('a', 'False'));
    await timers.advance(999);
    expect(sent).toEqual([]);
    await timers.advance(10_000);
    expect(sent).toEqual([
      { atMs: 1_600, news: newsOf('a', 'False'), more: 0 },
      { atMs: 1_600, news: newsOf('b'), more: 0 },
    ]);
  });

  it('tells of a node that never rests after five seconds', async () => {
    const { timers, sent, batcher } = start();
    for (let step = 0; step < 12; step += 1) {
      batcher.add(newsOf('a', step % 2 === 0 ? 'True' : 'False'));
      await timers.advance(500);
    }
    expect(sent[0]?.atMs).toBe(5_000);
  });

  it('makes one of several changes: the conditions as they are in the end', async () => {
    const { timers, sent, batcher } = start();
    batcher.add({ ...newsOf('a'), change: 'appeared', conditions: [] });
    batcher.add({ ...newsOf('a'), conditions: [{ type: 'DiskPressure', status: 'True' }] });
    batcher.add(newsOf('a', 'False'));
    batcher.add(newsOf('a', 'True'));
    batcher.add(newsOf('b', 'True'));
    batcher.add(newsOf('b', 'True', 'gone'));
    await timers.advance(1_000);
    expect(sent.map(({ news }) => news)).toEqual([
      {
        node: 'name-a',
        uid: 'a',
        change: 'appeared',
        conditions: [
          { type: 'DiskPressure', status: 'True' },
          { type: 'Ready', status: 'True' },
        ],
      },
      newsOf('b', 'True', 'gone'),
    ]);
  });

  it('lets the last signal of the minute stand for all others, and sends none after it', async () => {
    const { timers, told, batcher } = start({ mostPerMinute: 3 });
    for (let index = 0; index < 8; index += 1) batcher.add(newsOf(`n${index}`));
    await timers.advance(600_000);
    expect(told()).toEqual(['n0 +0', 'n1 +0', 'n2 +5']);
  });

  it('holds back what comes after that until the minute is over', async () => {
    const { timers, sent, batcher } = start({ mostPerMinute: 1 });
    batcher.add(newsOf('a'));
    await timers.advance(2_000);
    batcher.add(newsOf('b'));
    batcher.add(newsOf('c'));
    await timers.advance(58_999);
    expect(sent).toHaveLength(1);
    await timers.advance(1);
    expect(sent[1]).toMatchObject({ atMs: 61_000, news: { uid: 'b' }, more: 1 });
  });

  it('counts the nodes that it cannot remember', async () => {
    const { timers, told, batcher } = start({ mostKeys: 2 });
    for (const uid of ['a', 'b', 'c', 'd']) batcher.add(newsOf(uid));
    expect(batcher.remembered()).toHaveLength(2);
    await timers.advance(5_000);
    expect(told()).toEqual(['a +2', 'b +0']);
  });

  it('keeps a refused signal and sends it again with what has come since, after a back-off', async () => {
    const { timers, sent, waits, batcher } = start({ answers: [refused, refused] });
    batcher.add(newsOf('a', 'False'));
    await timers.advance(1_000);
    batcher.add(newsOf('a', 'True'));
    await timers.advance(10_000);
    expect(sent.map(({ atMs, news }) => [atMs, news.conditions[0]?.status])).toEqual([
      [1_000, 'False'],
      [1_125, 'True'],
      [1_375, 'True'],
    ]);
    expect(waits).toEqual([125, 250]);
    expect(batcher.isEmpty()).toBe(true);
  });

  it('flushes all that waits as one signal', async () => {
    const { told, batcher } = start();
    for (const uid of ['a', 'b', 'c']) batcher.add(newsOf(uid));
    await batcher.flush();
    expect(told()).toEqual(['a +2']);
    expect(batcher.isEmpty()).toBe(true);
  });

  it('flushes a signal that is refused on its way once more', async () => {
    let refuse = () => {};
    const slow = () => new Promise<void>((_done, fail) => (refuse = () => fail(new Error('away'))));
    const { timers, told, batcher } = start({ answers: [slow] });
    batcher.add(newsOf('a'));
    await timers.advance(1_000);
    batcher.add(newsOf('b'));
    const flushed = batcher.flush();
    refuse();
    await flushed;
    expect(told()).toEqual(['a +0', 'a +1']);
    expect(batcher.isEmpty()).toBe(true);
  });
});
