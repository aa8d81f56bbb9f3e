import type { DeadLetter, DeadLetters } from '#ports/dead-letters.ts';

export interface MemoryDeadLetters extends DeadLetters {
  /** In the order recorded. */
  letters(): readonly DeadLetter[];
}

export const memoryDeadLetters = (): MemoryDeadLetters => {
  const letters: DeadLetter[] = [];
  return {
    record: async (letter) => {
      letters.push(letter);
    },
    letters: () => [...letters],
  };
};
