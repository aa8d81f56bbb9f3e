import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeSignalDetail } from '#events/node-signal.ts';
import type { NodeChange } from '#wiring/relay.ts';
import { createBatcher } from '../../relay/batcher.ts';
import { createNodeChanges, type NodeNews } from '../../relay/node-changes.ts';
import { nodeBatching, nodeSignal } from '../../relay/node-signal.ts';
import { virtualTimers } from '../helpers/virtual-timers.ts';

const quietMs = 1_000;
const longestMs = 5_000;

/** News of a node `afterMs` after the news before it. */
const arrivals = fc.array(
  fc.record({
    afterMs: fc.oneof(fc.nat(1_500), fc.nat(30_000)),
    id: fc.nat(12),
    status: fc.constantFrom('True', 'False', 'Unknown'),
    change: fc.constantFrom('appeared', 'changed', 'gone'),
  }),
  { minLength: 1, maxLength: 60 },
);
type Arrivals = typeof arrivals extends fc.Arbitrary<infer T> ? T : never;

interface Taken {
  readonly atMs: number;
  readonly news: NodeNews;
  readonly more: number;
}

const play = async (options: {
  readonly steps: Arrivals;
  readonly mostPerMinute: number;
  /** Whether the bus takes each signal, in turn; then it takes all. */
  readonly takes?: readonly boolean[];
  readonly answerMs?: number;
}) => {
  const timers = virtualTimers();
  const taken: Taken[] = [];
  const triedMs: number[] = [];
  const added: { readonly atMs: number; readonly news: NodeNews }[] = [];
  const takes = [...(options.takes ?? [])];
  const mostNodes = 4;
  let mostRemembered = 0;
  const batcher = createBatcher({
    timers,
    batching: { ...nodeBatching, mostKeys: mostNodes, mostPerMinute: options.mostPerMinute },
    random: () => 0.999,
    onFailure: () => {},
    send: async (news, more) => {
      const signal = { atMs: timers.nowMs(), news, more };
      triedMs.push(signal.atMs);
      if (options.answerMs)
        await new Promise<void>((done) => timers.after(options.answerMs ?? 0, done));
      if (takes.shift() === false) throw new Error('the bus is away');
      taken.push(signal);
    },
  });
  for (const { afterMs, id, status, change } of options.steps) {
    await timers.advance(afterMs);
    const conditions = change === 'gone' ? [] : [{ type: 'Ready', status }];
    const news = { node: `n-${id}`, uid: `u-${id}`, change, conditions };
    batcher.add(news);
    added.push({ atMs: timers.nowMs(), news });
    mostRemembered = Math.max(mostRemembered, batcher.remembered().length);
  }
  await timers.advance(3_600_000);
  return { added, taken, triedMs, batcher, mostRemembered, mostNodes };
};

const bounds = fc.integer({ min: 1, max: 10 });
const refusals = fc.array(fc.boolean(), { maxLength: 12 });

describe('batches of node news', () => {
  it('follows every change with a signal that names the node or stands for it, whatever the bus does', async () => {
    await fc.assert(
      fc.asyncProperty(
        arrivals,
        bounds,
        refusals,
        fc.nat(3_000),
        async (steps, mostPerMinute, takes, answerMs) => {
          const { added, taken, batcher } = await play({ steps, mostPerMinute, takes, answerMs });
          for (const { atMs, news } of added) {
            const follows = (signal: Taken) =>
              signal.atMs >= atMs && (signal.news.uid === news.uid || signal.more > 0);
            expect(taken.some(follows)).toBe(true);
          }
          expect(batcher.isEmpty()).toBe(true);
        },
      ),
    );
  });

  it('tries no more signals in any minute than it may, and remembers no more nodes', async () => {
    await fc.assert(
      fc.asyncProperty(
        arrivals,
        bounds,
        refusals,
        fc.nat(3_000),
        async (steps, mostPerMinute, takes, answerMs) => {
          const played = await play({ steps, mostPerMinute, takes, answerMs });
          const { triedMs, mostRemembered, mostNodes } = played;
          for (const fromMs of triedMs) {
            const within = triedMs.filter((atMs) => atMs >= fromMs && atMs < fromMs + 60_000);
            expect(within.length).toBeLessThanOrEqual(mostPerMinute);
          }
          // One more than it waits for is on its way, and one more has come back refused.
          expect(mostRemembered).toBeLessThanOrEqual(mostNodes + 2);
        },
      ),
    );
  });

  it('tells of a node as it was last, within five seconds, where the minute allows', async () => {
    await fc.assert(
      fc.asyncProperty(arrivals, async (steps) => {
        const few = steps.filter(({ id }) => id < 4);
        const { added, taken } = await play({ steps: few, mostPerMinute: 1_000 });
        for (const { atMs, news } of added) {
          const signal = taken.find((each) => each.atMs >= atMs && each.news.uid === news.uid);
          expect((signal?.atMs ?? Number.POSITIVE_INFINITY) - atMs).toBeLessThanOrEqual(longestMs);
        }
        for (const { news, atMs, more } of taken) {
          const before = added.filter((each) => each.news.uid === news.uid && each.atMs <= atMs);
          const last = before.at(-1);
          expect(news.conditions).toEqual(last?.news.conditions);
          expect(atMs - (last?.atMs ?? 0)).toBeLessThanOrEqual(quietMs);
          expect(more).toBe(0);
        }
      }),
    );
  });
});

describe('node signals', () => {
  const condition = fc.record({
    type: fc.string({ minLength: 1, maxLength: 40 }),
    status: fc.constantFrom('True', 'False', 'Unknown'),
    reason: fc.string({ maxLength: 400 }),
  });
  const node = fc.record({
    name: fc.constantFrom('a', 'b', 'c'),
    uid: fc.constantFrom('1', '2', '3'),
    conditions: fc.array(condition, { maxLength: 40 }),
  });
  const change: fc.Arbitrary<NodeChange> = fc.oneof(
    fc.record({
      kind: fc.constant('listed' as const),
      objects: fc.uniqueArray(node, { selector: ({ uid }) => uid }),
    }),
    fc.record({ kind: fc.constant('changed' as const), object: node }),
    fc.record({ kind: fc.constant('gone' as const), object: node }),
  );

  it('are as their schema wants them, whatever the nodes say', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 8 }), fc.nat(), (changes, more) => {
        const noted = createNodeChanges();
        for (const news of changes.flatMap(noted.note)) {
          const detail = nodeSignal({ cluster: 'prod', network: 'main' }, news, more);
          expect(nodeSignalDetail.safeParse(detail).error).toBeUndefined();
        }
      }),
    );
  });

  it('are none where the same is seen again', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 8 }), node, (changes, last) => {
        const unique = new Map(last.conditions.map((each) => [each.type, each]));
        const object = { ...last, conditions: [...unique.values()] };
        const noted = createNodeChanges();
        for (const each of changes) noted.note(each);
        noted.note({ kind: 'changed', object });
        expect(noted.note({ kind: 'changed', object })).toEqual([]);
      }),
    );
  });
});
