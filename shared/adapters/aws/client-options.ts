/**
 * Options of every AWS client: three attempts in standard mode and bounded waits, so that one call ends
 * (answered or refused) well within the life of an invocation. Region, credentials and endpoint come
 * from where the SDK looks for them.
 */
export const clientOptions = {
  maxAttempts: 3,
  retryMode: 'standard',
  requestHandler: {
    /** Milliseconds, each per attempt. Without `throwOnRequestTimeout` the SDK only warns. */
    connectionTimeout: 2_000,
    requestTimeout: 8_000,
    throwOnRequestTimeout: true,
  },
};

/** For calls that must not be repeated without looking again at what they change. */
export const singleAttempt = { ...clientOptions, maxAttempts: 1 };
