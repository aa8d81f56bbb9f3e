/**
 * A remembered time as this look may use it: one that lies ahead was written before the clock was set
 * back, and counts as now. Otherwise what it stands for would stay young until the clock catches up.
 */
export const storedTime = (atMs: number, nowMs: number): number => Math.min(atMs, nowMs);

/** Whether more than so many seconds have passed since a remembered time. */
export const hasPassed = (seconds: number, sinceMs: number, nowMs: number): boolean =>
  nowMs - storedTime(sinceMs, nowMs) > seconds * 1000;
