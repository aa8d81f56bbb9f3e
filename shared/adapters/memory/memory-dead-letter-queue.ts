import type { DeadLetterQueue, FiledLetter } from '#ports/dead-letter-queue.ts';

export interface MemoryDeadLetterQueue extends DeadLetterQueue {
  file(letter: Omit<FiledLetter, 'id' | 'receives'>): void;
  /** Bodies in the queue that letters are sent back to. */
  source(): readonly string[];
}

export const memoryDeadLetterQueue = (): MemoryDeadLetterQueue => {
  let letters: FiledLetter[] = [];
  const source: string[] = [];
  let filed = 0;
  const take = (limit: number): readonly FiledLetter[] => {
    letters = letters.map((letter, index) =>
      index < limit ? { ...letter, receives: letter.receives + 1 } : letter,
    );
    return letters.slice(0, limit);
  };
  return {
    file(letter) {
      filed += 1;
      letters.push({ id: `letter-${filed}`, receives: 0, ...letter });
    },
    source: () => [...source],
    list: async (limit) => take(limit),
    async retry({ wanted, limit, enough, onRetried }) {
      const retried: FiledLetter[] = [];
      let left = 0;
      for (const letter of take(limit)) {
        if (enough?.() === true) break;
        if (!wanted(letter)) {
          left += 1;
          continue;
        }
        source.push(letter.body);
        letters = letters.filter(({ id }) => id !== letter.id);
        retried.push(letter);
        onRetried?.(letter);
      }
      return { retried, left };
    },
    count: async () => letters.length,
  };
};
