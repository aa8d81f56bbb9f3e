export type PortErrorCode =
  | 'throttled'
  | 'unavailable'
  | 'conflict'
  | 'notFound'
  | 'forbidden'
  | 'invalid'
  | 'timeout'
  | 'capacity';

const retryable: Readonly<Record<PortErrorCode, boolean>> = {
  throttled: true,
  unavailable: true,
  conflict: true,
  notFound: false,
  forbidden: false,
  invalid: false,
  timeout: true,
  capacity: true,
};

/** The one error that adapters throw. `message` names the call and what the other side said. */
export class PortError extends Error {
  readonly code: PortErrorCode;
  readonly retryable: boolean;

  constructor(code: PortErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'PortError';
    this.code = code;
    this.retryable = retryable[code];
  }
}
