import { memoryWakeups } from '#adapters/memory/memory-wakeups.ts';
import { sweep } from '#operations/sweep.ts';
import type { Wakeup } from '#ports/wakeups.ts';
import type { Arrangement, Message, Stage } from '../stage.ts';

const clusters = Array.from({ length: 45 }, (_, index) => `cluster-${index}`);

/** The schedule's message, and the next one a minute later; looks sent twice find nothing left to do. */
const scheduled = (): Stage => {
  let nowMs = 0;
  const ports = { wakeups: memoryWakeups() };
  const message: Message = {
    what: 'sweep',
    deliver: async (through) => {
      await sweep(through(ports).wakeups, clusters);
      return 'done';
    },
  };
  return {
    ports,
    nowMs: () => nowMs,
    elapse: async (seconds) => {
      nowMs += seconds * 1000;
    },
    first: message,
    sweep: { what: 'nothing', deliver: async () => 'done' },
    messagesIn: () => [],
    state: async (effects) => ({
      looks: [
        ...new Set(
          effects.flatMap(({ args }) =>
            (args[0] as readonly Wakeup[]).map(({ cluster, because }) => `${cluster} ${because}`),
          ),
        ),
      ].toSorted(),
    }),
    close: async () => {},
  };
};

export const sweeps: readonly Arrangement[] = [
  {
    name: 'network',
    about: 'a look for each cluster of a network',
    settled: { looks: clusters.map((cluster) => `${cluster} sweep`).toSorted() },
    stage: async () => scheduled(),
  },
];
