import { PortError } from '#ports/port-error.ts';
import { type Api, quotaOf, quotas } from './api-quotas.ts';
import { createTokenBucket, type TokenBucket } from './token-bucket.ts';

export type ApiCounts = Readonly<Partial<Record<Api, number>>>;

export interface MeterReading {
  readonly calls: ApiCounts;
  readonly throttled: ApiCounts;
  /** The fewest tokens that were left of each quota in any account. */
  readonly fewestTokens: Readonly<Record<string, number>>;
  /** When a call was refused last; absent where none was. */
  readonly lastThrottledMs?: number;
}

/** Counts the calls of a fleet by API, and refuses those beyond the quota of their account. */
export interface ApiMeter {
  /** Counts a call; throws as AWS does where the account's bucket is empty. */
  call(account: string, api: Api): void;
  /** What was counted since it was last read; counts begin anew, buckets stay as they are. */
  read(): MeterReading;
}

export const createApiMeter = (nowMs: () => number): ApiMeter => {
  const buckets = new Map<string, TokenBucket>();
  let calls: Partial<Record<Api, number>> = {};
  let throttled: Partial<Record<Api, number>> = {};
  let fewestTokens: Record<string, number> = {};
  let lastThrottledMs: number | undefined;

  const isTaken = (account: string, api: Api): boolean => {
    const quota = quotaOf(api);
    const limit = quotas[quota];
    if (limit === undefined) return true;
    const key = `${account} ${quota}`;
    const bucket = buckets.get(key) ?? createTokenBucket(limit.tokens, limit.perSecond);
    buckets.set(key, bucket);
    const taken = bucket.take(nowMs());
    fewestTokens[quota] = Math.min(fewestTokens[quota] ?? limit.tokens, Math.floor(bucket.left()));
    return taken;
  };

  return {
    call: (account, api) => {
      calls[api] = (calls[api] ?? 0) + 1;
      if (isTaken(account, api)) return;
      throttled[api] = (throttled[api] ?? 0) + 1;
      lastThrottledMs = nowMs();
      throw new PortError('throttled', `${api}: Rate exceeded`);
    },
    read: () => {
      const reading = {
        calls,
        throttled,
        fewestTokens,
        ...(lastThrottledMs === undefined ? {} : { lastThrottledMs }),
      };
      lastThrottledMs = undefined;
      calls = {};
      throttled = {};
      fewestTokens = {};
      return reading;
    },
  };
};
