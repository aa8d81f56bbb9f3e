import type { DeadLetterQueue, FiledLetter, LetterCount } from '#ports/dead-letter-queue.ts';

/** Dead letters and the queue that they came from: what retrying changes, one step a call. */
export interface MemoryLetterStore {
  /** The first letters, each received once more. */
  take(limit: number): Promise<readonly FiledLetter[]>;
  sendBack(body: string): Promise<void>;
  /** None where it is gone. */
  remove(id: string): Promise<void>;
  count(): Promise<LetterCount>;
  /** Another reader takes so many of the first letters, and dies over them. */
  hide(count: number): void;
  /** Their time is over. */
  unhide(): void;
  file(letter: Omit<FiledLetter, 'id' | 'receives'>): void;
  /** Bodies of the dead letters. */
  bodies(): readonly string[];
  /** Bodies in the queue that letters are sent back to. */
  source(): readonly string[];
}

export const memoryLetterStore = (): MemoryLetterStore => {
  let letters: FiledLetter[] = [];
  const source: string[] = [];
  const hidden = new Set<string>();
  let filed = 0;
  return {
    take: async (limit) => {
      const visible = letters.filter(({ id }) => !hidden.has(id)).slice(0, limit);
      const taken = new Set(visible.map(({ id }) => id));
      letters = letters.map((letter) =>
        taken.has(letter.id) ? { ...letter, receives: letter.receives + 1 } : letter,
      );
      return letters.filter(({ id }) => taken.has(id));
    },
    sendBack: async (body) => {
      source.push(body);
    },
    remove: async (removed) => {
      letters = letters.filter(({ id }) => id !== removed);
    },
    count: async () => ({ total: letters.length, inFlight: hidden.size }),
    hide: (count) => {
      for (const { id } of letters.slice(0, count)) hidden.add(id);
    },
    unhide: () => hidden.clear(),
    file(letter) {
      filed += 1;
      letters.push({ id: `letter-${filed}`, receives: 0, ...letter });
    },
    bodies: () => letters.map(({ body }) => body),
    source: () => [...source],
  };
};

export interface MemoryDeadLetterQueue
  extends DeadLetterQueue,
    Pick<MemoryLetterStore, 'file' | 'source' | 'hide' | 'unhide'> {}

export const memoryDeadLetterQueue = (
  store: MemoryLetterStore = memoryLetterStore(),
): MemoryDeadLetterQueue => ({
  file: store.file,
  source: store.source,
  hide: store.hide,
  unhide: store.unhide,
  list: (limit) => store.take(limit),
  async retry({ wanted, limit, enough, onRetried }) {
    const retried: FiledLetter[] = [];
    let left = 0;
    for (const letter of await store.take(limit)) {
      if (enough?.() === true) break;
      if (!wanted(letter)) {
        left += 1;
        continue;
      }
      // In this order: cut off in between, the message is in both queues.
      await store.sendBack(letter.body);
      await store.remove(letter.id);
      retried.push(letter);
      onRetried?.(letter);
    }
    return { retried, left };
  },
  count: () => store.count(),
});
