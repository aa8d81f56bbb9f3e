import { setTimeout as sleep } from 'node:timers/promises';
import { PortError } from '#ports/port-error.ts';
import type { ApiAccess } from './api-access.ts';
import { apiStatusOf } from './api-error.ts';
import { createExchange, type ExchangeLimits, type ExchangeRequest } from './https-exchange.ts';

export interface ApiClientOptions extends Partial<ExchangeLimits> {
  /** Read for every request where it may rotate; `access.token` otherwise. Required of an EKS access. */
  readonly token?: () => string | Promise<string>;
  /** How often a throttled or broken request is sent again. Default 2. */
  readonly retries?: number;
  /**
   * Of one request, from the first attempt's beginning to the last byte of the last. Default 10,000: a third
   * of a function's life, so that a server that hangs is told of and others get their turn. Does not hold
   * for `lines`.
   */
  readonly totalMs?: number;
}

export type Query = Readonly<Record<string, string>>;

/** Speaks JSON to one API server. Everything it throws is a PortError that names the call. */
export interface ApiClient {
  get(path: string, query?: Query, signal?: AbortSignal): Promise<unknown>;
  /** Only for objects whose name the caller gives: a request that broke is sent again. */
  post(path: string, body: unknown): Promise<unknown>;
  /** The lines of a watch, until the server or `signal` ends it. */
  lines(path: string, query: Query, signal: AbortSignal): AsyncGenerator<string, void, undefined>;
  close(): void;
}

const longestRetryAfterMs = 10_000;

/**
 * A client over HTTPS with kept connections, the server's own CA, a bearer token or a client certificate, and
 * bounded times and sizes. It follows no redirect. Answers 429 and 503 are retried after the `Retry-After`
 * they ask for (10 s at most), broken connections at once, all of them within `totalMs`. A `signal` whose
 * reason is a PortError ends a request with that.
 */
export function createApiClient(access: ApiAccess, options: ApiClientOptions = {}): ApiClient {
  const exchange = createExchange(access, options);
  const token = options.token ?? (() => ownToken(access));
  const retries = options.retries ?? 2;
  const totalMs = options.totalMs ?? 10_000;

  const attempts = async (request: ExchangeRequest, signal: AbortSignal): Promise<unknown> => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const body = await exchange.send({ ...request, token: await token() }, signal);
        return parse(`${request.method} ${request.path}`, body);
      } catch (error) {
        const waitMs = retryWaitMs(error, attempt);
        if (attempt >= retries || waitMs === undefined || signal.aborted) throw error;
        await sleep(waitMs, undefined, { signal });
      }
    }
  };

  const json = async (request: ExchangeRequest, signal?: AbortSignal): Promise<unknown> => {
    const late = AbortSignal.timeout(totalMs);
    try {
      return await attempts(request, signal ? AbortSignal.any([late, signal]) : late);
    } catch (error) {
      if (signal?.reason instanceof PortError) throw signal.reason;
      if (!late.aborted) throw error;
      const call = `${request.method} ${request.path.replace(/\?.*$/, '')}`;
      throw new PortError('timeout', `${call}: no answer within ${totalMs} ms`, { cause: error });
    }
  };

  return {
    get: (path, query = {}, signal) =>
      json({ method: 'GET', path: withQuery(path, query) }, signal),
    post: (path, body) => json({ method: 'POST', path, body: JSON.stringify(body) }),
    async *lines(path, query, signal) {
      const request: ExchangeRequest = {
        method: 'GET',
        path: withQuery(path, query),
        token: await token(),
      };
      yield* exchange.lines(request, signal);
    },
    close: exchange.close,
  };
}

/** `undefined` where a certificate says who asks. */
function ownToken(access: ApiAccess): string | undefined {
  if ('token' in access) return access.token;
  if ('clientCertificate' in access) return undefined;
  throw new PortError('invalid', `EKS cluster ${access.eksCluster}: nothing here makes its tokens`);
}

/** How long to wait before the request is sent again; `undefined` where that would not help. */
function retryWaitMs(error: unknown, attempt: number): number | undefined {
  if (!(error instanceof PortError)) return undefined;
  const status = apiStatusOf(error);
  const backOffMs = 100 * 2 ** attempt;
  if (status === undefined) return error.code === 'unavailable' ? backOffMs : undefined;
  if (status.httpStatus !== 429 && status.httpStatus !== 503) return undefined;
  const askedMs = status.retryAfterSeconds === undefined ? 0 : status.retryAfterSeconds * 1000;
  return askedMs > longestRetryAfterMs ? undefined : Math.max(askedMs, backOffMs);
}

function withQuery(path: string, query: Query): string {
  const search = new URLSearchParams(query).toString();
  return search === '' ? path : `${path}?${search}`;
}

function parse(call: string, body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new PortError('unavailable', `${call}: the answer is not JSON`, { cause });
  }
}
