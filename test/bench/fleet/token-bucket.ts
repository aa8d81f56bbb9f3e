/** Tokens that calls take and that come again with time; full at the start. */
export interface TokenBucket {
  /** Takes one; false where there is none. */
  take(nowMs: number): boolean;
  /** Whole and parts of tokens that the last call left. */
  left(): number;
}

export const createTokenBucket = (most: number, perSecond: number): TokenBucket => {
  let tokens = most;
  let filledMs: number | undefined;
  return {
    take: (nowMs) => {
      const passedMs = Math.max(0, nowMs - (filledMs ?? nowMs));
      tokens = Math.min(most, tokens + (passedMs * perSecond) / 1000);
      filledMs = Math.max(filledMs ?? nowMs, nowMs);
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
    left: () => tokens,
  };
};
