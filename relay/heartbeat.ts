import type { Timers } from './timers.ts';

export interface HeartbeatOptions {
  readonly timers: Timers;
  /** The watches that are told nothing; while there are any, the heart does not beat. */
  readonly silent: () => readonly string[];
  /** Puts one heartbeat on the bus; rejects where the bus did not take it. */
  readonly send: () => Promise<void>;
  readonly onFailure: (error: unknown) => void;
  /** Told of each beat that is left out. */
  readonly onSilence: (watches: readonly string[]) => void;
}

const everyMs = 60_000;
/** By then the watches of a relay that has just begun have been told something, if anything happens at all. */
const firstAfterMs = 5_000;

/**
 * Beats once a minute while every watch is alive; the function given back ends that. A beat that is not taken is
 * not sent again: the next one is a minute away, and the alarm waits for more than one.
 */
export function startHeartbeat(options: HeartbeatOptions): () => void {
  const { timers } = options;
  let cancel = () => {};
  const beat = async (): Promise<void> => {
    const silent = options.silent();
    if (silent.length > 0) return options.onSilence(silent);
    await options.send().catch(options.onFailure);
  };
  const schedule = (delayMs: number): void => {
    cancel = timers.after(delayMs, () => {
      schedule(everyMs);
      void beat();
    });
  };
  schedule(firstAfterMs);
  return () => cancel();
}
