import { setTimeout as sleep } from 'node:timers/promises';

const limitMs = 120_000;

/**
 * Looks until there is something to see, and gives it. `what` names it in the error that comes after two
 * minutes of looking: a guard against waiting for ever, not a measure of speed.
 */
export const eventually = async <T>(
  what: string,
  look: () => Promise<T | undefined>,
): Promise<T> => {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    if (Date.now() > deadline) throw new Error(`waited two minutes in vain for ${what}`);
    await sleep(20);
  }
};
