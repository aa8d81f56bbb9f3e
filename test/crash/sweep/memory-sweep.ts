import { memoryWakeups } from '#adapters/memory/memory-wakeups.ts';
import type { Wakeup } from '#ports/wakeups.ts';
import type { Arrangement } from '../stage.ts';
import { type SweptQueue, sweepStage, sweptClusters, sweptState } from './sweep-stage.ts';

/** More than may be due in two seconds. */
const count = 45;

const memoryQueue = (): SweptQueue => {
  const wakeups = memoryWakeups();
  const looks: Wakeup[] = [];
  return {
    wakeups: (through) => through({ wakeups }).wakeups,
    looks: async () => {
      looks.push(...wakeups.take());
      return looks;
    },
    close: async () => {},
  };
};

export const sweeps: readonly Arrangement[] = [
  {
    name: 'network',
    about: 'a look for each cluster of a network',
    settled: sweptState(count),
    stage: async () => sweepStage(memoryQueue(), sweptClusters(count)),
  },
];
