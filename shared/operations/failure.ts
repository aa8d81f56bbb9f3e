import { PortError, type PortErrorCode } from '#ports/port-error.ts';

/** A failed step as data: what the caller needs to retry it or to tell a person. */
export interface Failure {
  readonly code: PortErrorCode | 'unexpected';
  readonly message: string;
  /** Unknown errors are retried: nothing is swallowed. */
  readonly retryable: boolean;
}

/** Maps whatever was thrown. A programming error keeps its message and is retried, so it stays visible. */
export const failureOf = (thrown: unknown): Failure =>
  thrown instanceof PortError
    ? { code: thrown.code, message: thrown.message, retryable: thrown.retryable }
    : {
        code: 'unexpected',
        message: thrown instanceof Error ? thrown.message : String(thrown),
        retryable: true,
      };
