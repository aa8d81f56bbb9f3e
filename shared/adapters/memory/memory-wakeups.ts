import type { Wakeup, Wakeups } from '#ports/wakeups.ts';

export interface MemoryWakeups extends Wakeups {
  /** Takes out the ones sent since, in that order: whoever plays the queue delivers them. */
  take(): readonly Wakeup[];
}

export const memoryWakeups = (): MemoryWakeups => {
  let sent: Wakeup[] = [];
  return {
    send: async (wakeups) => {
      sent.push(...wakeups);
    },
    take: () => {
      const taken = sent;
      sent = [];
      return taken;
    },
  };
};
