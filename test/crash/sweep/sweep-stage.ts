import { sweep } from '#operations/sweep.ts';
import type { Wakeups } from '#ports/wakeups.ts';
import type { Message, Stage, State, Through } from '../stage.ts';
import { told } from '../told.ts';

/** The queue of a network, as a sweep fills it. */
export interface SweptQueue {
  /** For one invocation. */
  wakeups(through: Through): Wakeups;
  /** All looks so far that the queue has taken. */
  looks(): Promise<readonly { readonly cluster: string; readonly because: string }[]>;
  close(): Promise<void>;
}

export const sweptClusters = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `cluster-${index + 1}`);

/** A look for each of them, written out by name. */
export const sweptState = (count: number): State => ({
  looks: sweptClusters(count)
    .map((cluster) => `${cluster} sweep`)
    .toSorted(),
  doubled: 0,
});

/** The schedule's message, until it is acknowledged: the next sweep would hide what this one has left out. */
export const sweepStage = (queue: SweptQueue, clusters: readonly string[]): Stage => {
  let nowMs = 0;
  const message: Message = {
    what: 'sweep',
    deliver: async (through) => {
      await sweep(queue.wakeups(through), clusters);
      return 'done';
    },
  };
  return {
    ports: { wakeups: queue.wakeups((untouched) => untouched) },
    nowMs: () => nowMs,
    elapse: async (seconds) => {
      nowMs += seconds * 1000;
    },
    first: message,
    sweep: { what: 'nothing', deliver: async () => 'done' },
    messagesIn: () => [],
    state: async () => {
      const looks = await queue.looks();
      const { once, doubled } = told(looks.map(({ cluster, because }) => `${cluster} ${because}`));
      return { looks: once, doubled };
    },
    close: queue.close,
  };
};
