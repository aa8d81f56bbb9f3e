import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PodRef } from '#events/pod-pending.ts';
import { createBatcher } from '../../relay/batcher.ts';
import { podBatching } from '../../relay/pod-hint.ts';
import { virtualTimers } from '../helpers/virtual-timers.ts';

const podOf = (id: number): PodRef => ({ namespace: 'default', name: `p-${id}`, uid: `u-${id}` });

const quietMs = 200;
const longestMs = 2_000;

/** A pod seen `afterMs` after the one before it. */
const arrivals = fc.array(
  fc.record({ afterMs: fc.oneof(fc.nat(250), fc.nat(3_000)), id: fc.nat(40) }),
  { minLength: 1, maxLength: 60 },
);

interface Sent {
  readonly atMs: number;
  readonly uids: readonly string[];
  /** How many pods had been added by then. */
  readonly addedBefore: number;
}

const play = async (options: {
  readonly steps: readonly { readonly afterMs: number; readonly id: number }[];
  /** Whether the bus takes each batch, in turn; then it takes all. */
  readonly takes?: readonly boolean[];
  readonly answerMs?: number;
  readonly mostPods?: number;
}) => {
  const timers = virtualTimers();
  const taken: Sent[] = [];
  const added: { readonly atMs: number; readonly uid: string }[] = [];
  const takes = [...(options.takes ?? [])];
  const mostPods = options.mostPods ?? 1_000;
  let mostRemembered = 0;
  const batcher = createBatcher({
    timers,
    batching: podBatching(mostPods),
    random: () => 0.999,
    onFailure: () => {},
    send: async (pods) => {
      const batch = {
        atMs: timers.nowMs(),
        uids: pods.map(({ uid }) => uid),
        addedBefore: added.length,
      };
      if (options.answerMs)
        await new Promise<void>((done) => timers.after(options.answerMs ?? 0, done));
      if (takes.shift() === false) throw new Error('the bus is away');
      taken.push(batch);
    },
  });
  for (const { afterMs, id } of options.steps) {
    await timers.advance(afterMs);
    batcher.add([podOf(id)]);
    added.push({ atMs: timers.nowMs(), uid: `u-${id}` });
    mostRemembered = Math.max(mostRemembered, batcher.remembered().flat().length);
  }
  await timers.advance(1_000_000);
  return { added, taken, mostRemembered, batcher };
};

describe('batches of pods', () => {
  it('tells of every pod within 2 s, and not before 200 ms of quiet', async () => {
    await fc.assert(
      fc.asyncProperty(arrivals, async (steps) => {
        const { added, taken } = await play({ steps });
        for (const { atMs, uid } of added) {
          const hint = taken.find((batch) => batch.atMs >= atMs && batch.uids.includes(uid));
          expect((hint?.atMs ?? Number.POSITIVE_INFINITY) - atMs).toBeLessThanOrEqual(longestMs);
        }
        for (const [index, batch] of taken.entries()) {
          const inBatch = added.slice(taken[index - 1]?.addedBefore ?? 0, batch.addedBefore);
          const firstMs = inBatch[0]?.atMs ?? Number.NaN;
          const lastMs = inBatch.at(-1)?.atMs ?? Number.NaN;
          expect(batch.atMs).toBe(Math.min(lastMs + quietMs, firstMs + longestMs));
        }
      }),
    );
  });

  it('loses no pod while the bus is slow and refuses', async () => {
    const takes = fc.array(fc.boolean(), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(arrivals, takes, fc.nat(3_000), async (steps, takes, answerMs) => {
        const { added, taken, batcher } = await play({ steps, takes, answerMs });
        for (const { atMs, uid } of added) {
          expect(taken.some((batch) => batch.atMs >= atMs && batch.uids.includes(uid))).toBe(true);
        }
        expect(batcher.isEmpty()).toBe(true);
      }),
    );
  });

  it('remembers a bounded number of pods, and still tells of the cluster', async () => {
    const takes = fc.array(fc.boolean(), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(arrivals, takes, fc.nat(3_000), async (steps, takes, answerMs) => {
        const mostPods = 4;
        const { added, taken, mostRemembered } = await play({ steps, takes, answerMs, mostPods });
        expect(mostRemembered).toBeLessThanOrEqual(2 * mostPods);
        for (const { uids } of taken) expect(uids.length).toBeLessThanOrEqual(mostPods);
        for (const { atMs, uid } of added) {
          const told = ({ uids }: Sent) => uids.length === 0 || uids.includes(uid);
          expect(taken.some((batch) => batch.atMs >= atMs && told(batch))).toBe(true);
        }
      }),
    );
  });
});
