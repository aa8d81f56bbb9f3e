import {
  memoryDeadLetterQueue,
  memoryLetterStore,
} from '#adapters/memory/memory-dead-letter-queue.ts';
import type { Stage } from '../stage.ts';
import { type LettersSetting, type LettersWorld, lettersStage } from './letters-stage.ts';

/** Letters in memory, each step of their queue a port call of its own: `mainStore.remove`. */
const memoryLetters = (network: string, bodies: readonly string[]): LettersWorld => {
  const store = memoryLetterStore();
  for (const body of bodies) store.file({ body, sentAtMs: 0 });
  const { take, sendBack, remove } = store;
  const name = `${network}Store`;
  return {
    network,
    queue: (through) => {
      const steps = through({ [name]: { take, sendBack, remove } });
      return memoryDeadLetterQueue({ ...store, ...steps[name] });
    },
    dead: async () => store.bodies(),
    back: async () => store.source(),
    elapse: async () => {},
    close: async () => {},
  };
};

export const memoryLetterStage = ({ letters, chosen }: LettersSetting): Promise<Stage> =>
  lettersStage(
    Object.entries(letters).map(([network, bodies]) => memoryLetters(network, bodies)),
    chosen,
  );
