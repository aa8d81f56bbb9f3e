import type { Happening } from '#world/happening.ts';
import { type StoryEvent, tellHappenings } from './story.ts';

/** Keeps what happened until it is told, so that things close together become one line. */
export interface Narrator {
  hear(happenings: readonly Happening[]): void;
  /** What is to be told before the clock goes on to that time. */
  tellBefore(atMs: number): readonly StoryEvent[];
  /** All that is untold. */
  tell(): readonly StoryEvent[];
}

/** Happenings that lie closer together are told as one. */
const shortBreathMs = 5_000;
const longBreathMs = 60_000;

/** The breath grows while pods only finish: hundreds of jobs end over minutes, and that is no news. */
export const createNarrator = (startMs: number): Narrator => {
  let untold: Happening[] = [];
  let breathMs = shortBreathMs;
  const tell = (): readonly StoryEvent[] => {
    const told = tellHappenings(untold, startMs);
    untold = [];
    return told;
  };
  return {
    hear: (happenings) => {
      untold.push(...happenings);
      if (happenings.some(({ kind }) => kind !== 'podFinished')) breathMs = shortBreathMs;
    },
    tellBefore: (atMs) => {
      const [first] = untold;
      if (first === undefined || atMs - first.atMs < breathMs) return [];
      breathMs = Math.min(2 * breathMs, longBreathMs);
      return tell();
    },
    tell,
  };
};
