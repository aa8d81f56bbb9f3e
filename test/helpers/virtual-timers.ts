import type { Timers } from '../../relay/timers.ts';

export interface VirtualTimers extends Timers {
  /** Lets the time pass; whatever falls due is done in order, and what it starts is waited for. */
  advance(ms: number): Promise<void>;
}

/** A clock that stands still until it is told to move. */
export function virtualTimers(): VirtualTimers {
  const due = new Map<number, { readonly atMs: number; readonly work: () => void }>();
  let nowMs = 0;
  let ids = 0;
  /** Lets every promise that can go on do so. */
  const settle = () => new Promise<void>((done) => setImmediate(done));
  const next = (untilMs: number) =>
    [...due]
      .filter(([, { atMs }]) => atMs <= untilMs)
      .sort(([a, x], [b, y]) => x.atMs - y.atMs || a - b)[0];

  return {
    nowMs: () => nowMs,
    after(delayMs, work) {
      const id = ++ids;
      due.set(id, { atMs: nowMs + Math.max(0, delayMs), work });
      return () => due.delete(id);
    },
    async advance(ms) {
      const endMs = nowMs + ms;
      await settle();
      for (let entry = next(endMs); entry !== undefined; entry = next(endMs)) {
        const [id, { atMs, work }] = entry;
        due.delete(id);
        nowMs = Math.max(nowMs, atMs);
        work();
        await settle();
      }
      nowMs = endMs;
    },
  };
}
