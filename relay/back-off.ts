export interface BackOff {
  /** Counts one more failure; how long to wait after it. */
  failed(): number;
  succeeded(): void;
}

const firstMs = 250;
const longestMs = 15_000;

/** Waits that double from failure to failure, 15 s at most, with full jitter. `random`: uniform in [0, 1). */
export function createBackOff(random: () => number): BackOff {
  let failures = 0;
  return {
    failed() {
      failures += 1;
      return Math.floor(random() * Math.min(longestMs, firstMs * 2 ** (failures - 1)));
    },
    succeeded() {
      failures = 0;
    },
  };
}
