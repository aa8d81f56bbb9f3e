import type { Happening } from '#world/happening.ts';
import type { WorldLag } from '#world/spec.ts';

/** Why a look is taken, as the journal has it. */
export type LookTrigger = 'pod-pending' | 'retry' | 'sweep';

/** When the cluster is looked at next: what relay, queue and schedule do around the operation. */
export interface Agenda {
  nextAtMs(): number;
  /** What is due by now, taken off the agenda; several at once are one look. */
  takeDue(nowMs: number): LookTrigger | undefined;
  see(happenings: readonly Happening[]): void;
  /** A look did not get through. */
  retry(nowMs: number): void;
  /** Nothing but sweeps is to come. */
  isQuiet(): boolean;
}

/** As the relay does: a hint so long after the last new Pending pod, at most so long after the first. */
const hintAfterMs = 200;
const hintAtMostMs = 2_000;
export const sweepEveryMs = 60_000;
/** The message of a look that failed comes back to the queue after so long. */
const retryAfterMs = 30_000;

export const createAgenda = (startMs: number, lag: WorldLag): Agenda => {
  let firstSeenMs: number | undefined;
  let lastSeenMs = 0;
  let retryAtMs = Number.POSITIVE_INFINITY;
  let sweepAtMs = startMs + sweepEveryMs;

  const hintAtMs = (): number =>
    firstSeenMs === undefined
      ? Number.POSITIVE_INFINITY
      : Math.min(lastSeenMs + hintAfterMs, firstSeenMs + hintAtMostMs) + lag.hintMs;

  return {
    nextAtMs: () => Math.min(hintAtMs(), retryAtMs, sweepAtMs),
    takeDue: (nowMs) => {
      const hinted = hintAtMs() <= nowMs;
      const retried = retryAtMs <= nowMs;
      const swept = sweepAtMs <= nowMs;
      if (hinted) firstSeenMs = undefined;
      if (retried) retryAtMs = Number.POSITIVE_INFINITY;
      if (swept) sweepAtMs += sweepEveryMs;
      if (hinted) return 'pod-pending';
      if (retried) return 'retry';
      return swept ? 'sweep' : undefined;
    },
    see: (happenings) => {
      if (lag.hintsLost) return;
      for (const { kind, atMs } of happenings) {
        if (kind !== 'podsUnschedulable') continue;
        firstSeenMs ??= atMs;
        lastSeenMs = atMs;
      }
    },
    retry: (nowMs) => {
      retryAtMs = nowMs + retryAfterMs;
    },
    isQuiet: () => firstSeenMs === undefined && retryAtMs === Number.POSITIVE_INFINITY,
  };
};
