import type { Wakeup } from '#ports/wakeups.ts';
import type { Happening } from '#world/happening.ts';
import type { WorldLag } from '#world/spec.ts';

/** A look that is due: why, as the journal has it, and the message of Outrider to itself that calls for it. */
export interface DueLook {
  readonly trigger: 'pod-pending' | 'launch-failed' | 'retry' | 'sweep' | 'unfinished' | 'marked';
  readonly wakeup?: Pick<Wakeup, 'because' | 'step'>;
}

/** When the cluster is looked at next: what relay, rules, queue and schedule do around the operation. */
export interface Agenda {
  nextAtMs(): number;
  /** What is due by now, taken off the agenda; several at once are one look. */
  takeDue(nowMs: number): DueLook | undefined;
  see(happenings: readonly Happening[]): void;
  /** Messages that Outrider sent to itself just now. */
  send(wakeups: readonly Wakeup[], nowMs: number): void;
  /** A look did not get through; says whether its message comes back. */
  failed(look: DueLook, nowMs: number): boolean;
  /** Nothing but sweeps is to come. */
  isQuiet(): boolean;
}

/** As the relay does: a hint so long after the last new Pending pod, at most so long after the first. */
const hintAfterMs = 200;
const hintAtMostMs = 2_000;
/** The event of a launch that failed goes through two rules, a queue and `forward-events`. */
const launchFailedAfterMs = 1_000;
export const sweepEveryMs = 60_000;
/** The message of a hint that failed comes back to the queue after so long. */
const retryAfterMs = 30_000;

const never = Number.POSITIVE_INFINITY;

export const createAgenda = (startMs: number, lag: WorldLag): Agenda => {
  let firstSeenMs: number | undefined;
  let lastSeenMs = 0;
  let launchFailedAtMs = never;
  let retryAtMs = never;
  let sweepAtMs = startMs + sweepEveryMs;
  let wakeups: { readonly atMs: number; readonly wakeup: Wakeup }[] = [];

  const hintAtMs = (): number =>
    firstSeenMs === undefined
      ? never
      : Math.min(lastSeenMs + hintAfterMs, firstSeenMs + hintAtMostMs) + lag.hintMs;

  const takeWakeup = (nowMs: number): Wakeup | undefined => {
    const due = wakeups.filter(({ atMs }) => atMs <= nowMs);
    wakeups = wakeups.filter(({ atMs }) => atMs > nowMs);
    // One that asks for a look whatever the marks are stands for the others.
    return (due.find(({ wakeup }) => wakeup.because !== 'marked') ?? due[0])?.wakeup;
  };

  return {
    nextAtMs: () =>
      Math.min(
        hintAtMs(),
        launchFailedAtMs,
        retryAtMs,
        sweepAtMs,
        ...wakeups.map(({ atMs }) => atMs),
      ),
    takeDue: (nowMs) => {
      const hinted = hintAtMs() <= nowMs;
      const launchFailed = launchFailedAtMs <= nowMs;
      const retried = retryAtMs <= nowMs;
      const swept = sweepAtMs <= nowMs;
      const wakeup = takeWakeup(nowMs);
      if (hinted) firstSeenMs = undefined;
      if (launchFailed) launchFailedAtMs = never;
      if (retried) retryAtMs = never;
      if (swept) sweepAtMs += sweepEveryMs;
      if (hinted) return { trigger: 'pod-pending' };
      if (launchFailed) return { trigger: 'launch-failed' };
      if (retried) return { trigger: 'retry' };
      if (wakeup !== undefined && wakeup.because !== 'marked') {
        const { because, step } = wakeup;
        return { trigger: because, wakeup: { because, step } };
      }
      if (swept) return { trigger: 'sweep', wakeup: { because: 'sweep', step: 1 } };
      return wakeup === undefined
        ? undefined
        : { trigger: 'marked', wakeup: { because: 'marked', step: wakeup.step } };
    },
    see: (happenings) => {
      if (lag.hintsLost) return;
      for (const { kind, atMs } of happenings) {
        if (kind === 'launchFailed') {
          launchFailedAtMs = Math.min(launchFailedAtMs, atMs + launchFailedAfterMs + lag.hintMs);
        }
        if (kind !== 'podsUnschedulable') continue;
        firstSeenMs ??= atMs;
        lastSeenMs = atMs;
      }
    },
    send: (sent, nowMs) => {
      wakeups.push(...sent.map((wakeup) => ({ atMs: nowMs + wakeup.afterSeconds * 1000, wakeup })));
    },
    failed: ({ trigger }, nowMs) => {
      if (trigger === 'sweep') return false;
      retryAtMs = nowMs + retryAfterMs;
      return true;
    },
    isQuiet: () =>
      firstSeenMs === undefined &&
      launchFailedAtMs === never &&
      retryAtMs === never &&
      wakeups.length === 0,
  };
};
