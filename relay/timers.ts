/** Time as the relay's pure parts see it; tests pass a virtual one. */
export interface Timers {
  /** Milliseconds that only grow. */
  nowMs(): number;
  /** Calls `work` once after `delayMs`; the function given back calls it off. */
  after(delayMs: number, work: () => void): () => void;
}

export const realTimers: Timers = {
  nowMs: () => performance.now(),
  after(delayMs, work) {
    const timer = setTimeout(work, delayMs);
    return () => clearTimeout(timer);
  },
};
