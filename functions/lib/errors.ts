/** A thrown value as data, for log lines and decisions about retrying. */
export interface DescribedError {
  readonly code: string;
  readonly message: string;
  /** Unknown errors are retried: a permanent one ends among the dead letters, a passing one heals. */
  readonly retryable: boolean;
  readonly stack?: string;
}

/**
 * Reads `code` and `retryable` where the error carries them (as those of the adapters do). The shape is
 * looked at, not the class: two bundled copies of one class are not `instanceof` each other.
 */
export const describeError = (thrown: unknown): DescribedError => {
  if (!(thrown instanceof Error)) {
    return { code: 'unexpected', message: String(thrown), retryable: true };
  }
  const { code, retryable } = thrown as { code?: unknown; retryable?: unknown };
  return {
    code: typeof code === 'string' ? code : 'unexpected',
    message: thrown.message,
    retryable: typeof retryable === 'boolean' ? retryable : true,
    ...(thrown.stack === undefined ? {} : { stack: thrown.stack }),
  };
};
