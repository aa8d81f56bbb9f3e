import { PortError, type PortErrorCode } from '#ports/port-error.ts';

/** The API server's refusal, kept as the PortError's cause. */
export interface ApiStatus {
  readonly httpStatus: number;
  /** Kubernetes' own word: `AlreadyExists`, `Expired`, `NotFound`, … */
  readonly reason?: string;
  readonly retryAfterSeconds?: number;
}

function codeOf(httpStatus: number): PortErrorCode {
  if (httpStatus === 401 || httpStatus === 403) return 'forbidden';
  if (httpStatus === 404) return 'notFound';
  // 410: the list or watch must start again, which is a matter of asking once more.
  if (httpStatus === 409 || httpStatus === 410) return 'conflict';
  if (httpStatus === 429) return 'throttled';
  if (httpStatus === 408 || httpStatus === 504) return 'timeout';
  return httpStatus >= 500 ? 'unavailable' : 'invalid';
}

/** The PortError for an answer other than 2xx; `body` is a Status object where the server sent one. */
export function statusError(
  call: string,
  answer: { readonly status: number; readonly retryAfter?: string | undefined },
  body: string,
): PortError {
  const said = readStatus(body);
  const seconds = Number(answer.retryAfter);
  const cause: ApiStatus = {
    httpStatus: answer.status,
    ...(said.reason !== undefined && { reason: said.reason }),
    ...(answer.retryAfter !== undefined &&
      Number.isFinite(seconds) &&
      seconds >= 0 && { retryAfterSeconds: seconds }),
  };
  // A redirect is never followed: the token is for this server alone.
  const redirected = answer.status >= 300 && answer.status < 400;
  const message = redirected ? 'a redirect, which is not followed' : said.message;
  return new PortError(codeOf(answer.status), `${call}: ${answer.status} ${message}`.trim(), {
    cause,
  });
}

/** What the API server said behind a PortError; `undefined` where it said nothing. */
export function apiStatusOf(error: unknown): ApiStatus | undefined {
  if (!(error instanceof PortError)) return undefined;
  const cause = error.cause;
  return typeof cause === 'object' && cause !== null && 'httpStatus' in cause
    ? (cause as ApiStatus)
    : undefined;
}

/**
 * Whether the API server does not know who asks: 401, or a 403 for `system:anonymous`, which is what a request
 * without a name becomes where anonymous requests are allowed.
 */
export function isNotAuthenticated(error: unknown): boolean {
  const status = apiStatusOf(error)?.httpStatus;
  if (status === 401) return true;
  return status === 403 && (error as PortError).message.includes('"system:anonymous"');
}

const tooLarge = 'AnswerTooLarge';

/** The PortError for an answer that is longer than it may be. */
export const tooLargeError = (call: string, maxBytes: number): PortError =>
  new PortError('invalid', `${call}: the answer is larger than ${maxBytes} bytes`, {
    cause: { code: tooLarge },
  });

/** Whether it is what `tooLargeError` made. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof PortError && (error.cause as { code?: unknown } | undefined)?.code === tooLarge;

function readStatus(body: string): { readonly reason?: string; readonly message: string } {
  try {
    const { reason, message } = JSON.parse(body);
    return {
      ...(typeof reason === 'string' && { reason }),
      message: typeof message === 'string' ? message : '',
    };
  } catch {
    return { message: body.slice(0, 200).replace(/\s+/g, ' ') };
  }
}

const timeouts: readonly string[] = ['ETIMEDOUT', 'ESOCKETTIMEDOUT', 'ABORT_ERR'];

/** The PortError for a connection that was not made or broke. Certificates that do not fit are `invalid`. */
export function connectionError(call: string, error: unknown): PortError {
  if (error instanceof PortError) return error;
  const { code = '', message = String(error) } = error as { code?: string; message?: string };
  const said = `${call}: ${message || code}`;
  if (timeouts.includes(code)) return new PortError('timeout', said, { cause: error });
  const certificate = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|ALTNAME/.test(code);
  return new PortError(certificate ? 'invalid' : 'unavailable', said, { cause: error });
}
