import { type Failure, failureOf } from '#operations/failure.ts';

/**
 * A thrown value for a log line: what the operations say of it, and where it came from. Never for
 * anything but logs, which alone may hold a stack.
 */
export const describeError = (thrown: unknown): Failure & { readonly stack?: string } => {
  const stack = thrown instanceof Error ? thrown.stack : undefined;
  return { ...failureOf(thrown), ...(stack !== undefined && { stack }) };
};
