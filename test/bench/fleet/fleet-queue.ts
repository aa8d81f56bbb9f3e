import type { Timeline } from '#world/timeline.ts';

/** Work that is due under a clock which stands still between two times; what is due at once goes in turn. */
export interface FleetQueue {
  at(atMs: number, work: () => Promise<void>): void;
  /** Does all that is due before that time, and stops the clock at the last of it. */
  runUntil(endMs: number): Promise<void>;
}

export const createFleetQueue = (clock: Timeline): FleetQueue => {
  let due: (() => Promise<void>)[] = [];
  return {
    at: (atMs, work) => clock.at(atMs, () => due.push(work)),
    runUntil: async (endMs) => {
      for (
        let next = clock.nextAtMs();
        next !== undefined && next < endMs;
        next = clock.nextAtMs()
      ) {
        clock.advanceTo(next);
        const now = due;
        due = [];
        for (const work of now) await work();
      }
    },
  };
};
