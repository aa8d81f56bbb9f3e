import type { Timers } from './timers.ts';

export interface WatchHealth<Name extends string> {
  /** A watch was told something. */
  heard(name: Name): void;
  /** Those that were told nothing for too long, or never yet. */
  silent(): readonly Name[];
}

/**
 * An idle API server sends each watch a bookmark about every minute; one that is silent for 90 s is given up and
 * begun anew. What is told nothing for 3 minutes has missed both.
 */
const longestSilenceMs = 180_000;

/** Which of these watches are alive: told something lately, and not only begun. */
export function createWatchHealth<Name extends string>(
  names: readonly Name[],
  timers: Pick<Timers, 'nowMs'>,
): WatchHealth<Name> {
  const heardMs = new Map<Name, number>();
  return {
    heard: (name) => void heardMs.set(name, timers.nowMs()),
    silent: () =>
      names.filter((name) => {
        const lastMs = heardMs.get(name);
        return lastMs === undefined || timers.nowMs() - lastMs > longestSilenceMs;
      }),
  };
}
