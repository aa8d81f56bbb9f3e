import { type ApiCall, apiCalls, type WorldSpec } from './spec.ts';

/** Counts the calls made to the simulated APIs, and refuses those beyond a limit. */
export interface ApiMeter {
  /** False where the call is throttled; it counts all the same. */
  admit(call: ApiCall): boolean;
  counts(): Readonly<Record<ApiCall, number>>;
}

export const createApiMeter = (spec: WorldSpec, nowMs: () => number): ApiMeter => {
  const counts = Object.fromEntries(apiCalls.map((call) => [call, 0])) as Record<ApiCall, number>;
  const windows = spec.throttles.map((throttle) => ({ throttle, window: -1, used: 0 }));
  return {
    admit: (call) => {
      counts[call] += 1;
      let admitted = true;
      for (const meter of windows) {
        if (meter.throttle.call !== call) continue;
        const window = Math.floor((nowMs() - spec.startMs) / meter.throttle.perMs);
        if (window !== meter.window) {
          meter.window = window;
          meter.used = 0;
        }
        meter.used += 1;
        if (meter.used > meter.throttle.limit) admitted = false;
      }
      return admitted;
    },
    counts: () => ({ ...counts }),
  };
};

/** Keeps an answer for so long as reads may be old; 0 keeps nothing. */
export const staleRead = <T>(read: () => T, staleMs: number, nowMs: () => number): (() => T) => {
  let kept: { readonly atMs: number; readonly answer: T } | undefined;
  return () => {
    if (kept === undefined || nowMs() - kept.atMs >= staleMs) {
      kept = { atMs: nowMs(), answer: read() };
    }
    return kept.answer;
  };
};
