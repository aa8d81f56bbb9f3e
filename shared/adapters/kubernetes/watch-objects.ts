import { PortError } from '#ports/port-error.ts';
import type { ApiClient, Query } from './api-client.ts';
import { apiStatusOf } from './api-error.ts';
import { listPages } from './list-pages.ts';

/** What happens to the objects of one kind. */
export type ObjectChange<T> =
  /** All of them: whatever was known before and is not here is gone. */
  | { readonly kind: 'listed'; readonly objects: readonly T[] }
  | { readonly kind: 'changed'; readonly object: T }
  /** Deleted, or no longer what the selector asks for. */
  | { readonly kind: 'gone'; readonly object: T };

/** Which objects are watched, and what is kept of each. */
export interface Watched<T> {
  readonly path: string;
  /** Selectors. */
  readonly query: Query;
  /** `undefined` where the object is none of that kind. */
  readonly read: (object: unknown) => T | undefined;
}

export interface WatchOptions {
  readonly signal: AbortSignal;
  /** Uniform in [0, 1): full jitter on the back-off. */
  readonly random: () => number;
  /** Resolves after `ms`, or at once when `signal` is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Told of every failure, and how long the watch waits before it tries again. */
  readonly onTrouble: (error: PortError, waitMs: number) => void;
  /** Told where a watch stands that begins: after a list, or one resumed. */
  readonly onWatching?: (resourceVersion: string) => void;
  /**
   * Told of every event and bookmark of a watch. Lists do not count: where every watch is taken and then
   * told nothing, lists go on and the watch is stuck all the same.
   */
  readonly onHeard?: () => void;
}

const firstBackOffMs = 500;
const longestBackOffMs = 30_000;
/** The server ends a watch after this long; it goes on from where it was. */
const watchSeconds = 300;
/** After so many watches in a row without an event or a bookmark the version itself is doubted. */
const mostFruitless = 3;

/**
 * Follows the objects of one kind until `signal` is aborted: lists, then watches from the list's
 * resource version; a watch that ends goes on from the last version seen (bookmarks move it while nothing
 * happens); one that is refused as too old (410) or too new (504: etcd was restored to an earlier state),
 * or whose objects cannot be read, begins with a list again, and so does the one after three in a row that
 * told nothing. After a failure it waits up to twice as long each time, 30 s at most, with full jitter.
 */
export async function* watchObjects<T>(
  client: ApiClient,
  watched: Watched<T>,
  options: WatchOptions,
): AsyncGenerator<ObjectChange<T>, void, undefined> {
  const { path, query, read } = watched;
  const { signal } = options;
  const readAll = (items: readonly unknown[]) =>
    items.map(read).filter((object) => object !== undefined);
  let version: string | undefined;
  let failures = 0;
  let fruitless = 0;
  while (!signal.aborted) {
    try {
      if (version === undefined || fruitless >= mostFruitless) {
        const list = await listPages(client, { path, query, signal }, readAll);
        version = list.resourceVersion;
        fruitless = 0;
        yield { kind: 'listed', objects: list.pages.flat() };
      }
      options.onWatching?.(version);
      fruitless += 1;
      for await (const event of watchOnce(client, watched, { version, signal })) {
        options.onHeard?.();
        version = event.version;
        failures = 0;
        fruitless = 0;
        if (event.change !== undefined) yield event.change;
      }
      if (signal.aborted) return;
      // Ended by the server: go on at once, yet not in a busy loop where it does so again and again.
      failures += 1;
      await options.sleep(backOffMs(failures - 1, options.random), signal);
    } catch (error) {
      if (signal.aborted) return;
      const trouble = error instanceof PortError ? error : unexpected(path, error);
      const expired = apiStatusOf(trouble)?.httpStatus === 410;
      // What cannot be read in place may be readable in a list.
      if (expired || isTooNew(trouble) || trouble.code === 'invalid') version = undefined;
      failures += 1;
      const waitMs = backOffMs(expired ? failures - 1 : failures, options.random);
      options.onTrouble(trouble, waitMs);
      await options.sleep(waitMs, signal);
    }
  }
}

/** As the watch cache says that it has not come to a version: after a restore it never will in time. */
const isTooNew = (trouble: PortError): boolean => {
  const status = apiStatusOf(trouble);
  return status?.httpStatus === 504 && status.reason === 'Timeout';
};

const unexpected = (path: string, error: unknown): PortError =>
  new PortError('unavailable', `WATCH ${path}: ${String(error)}`, { cause: error });

/** None before the first failure. */
function backOffMs(failures: number, random: () => number): number {
  if (failures <= 0) return 0;
  return Math.floor(random() * Math.min(longestBackOffMs, firstBackOffMs * 2 ** (failures - 1)));
}

interface WatchEvent<T> {
  readonly version: string;
  readonly change?: ObjectChange<T>;
}

async function* watchOnce<T>(
  client: ApiClient,
  { path, query, read }: Watched<T>,
  { version, signal }: { readonly version: string; readonly signal: AbortSignal },
): AsyncGenerator<WatchEvent<T>, void, undefined> {
  const lines = client.lines(
    path,
    {
      ...query,
      watch: 'true',
      allowWatchBookmarks: 'true',
      timeoutSeconds: String(watchSeconds),
      resourceVersion: version,
    },
    signal,
  );
  for await (const line of lines) yield readLine(path, line, read);
}

function readLine<T>(
  path: string,
  line: string,
  read: (object: unknown) => T | undefined,
): WatchEvent<T> {
  const { type, object: raw } = parse(path, line);
  if (type === 'ERROR') throw watchError(path, raw);
  const version = raw?.metadata?.resourceVersion;
  if (typeof version !== 'string' || version === '') {
    throw new PortError('invalid', `WATCH ${path}: an event without a resource version`);
  }
  const object = type === 'BOOKMARK' ? undefined : read(raw);
  if (object === undefined) return { version };
  return { version, change: { kind: type === 'DELETED' ? 'gone' : 'changed', object } };
}

interface RawEvent {
  readonly type?: string;
  readonly object?: {
    readonly metadata?: { readonly resourceVersion?: unknown };
    readonly code?: number;
    readonly reason?: string;
    readonly message?: string;
  };
}

function parse(path: string, line: string): RawEvent {
  try {
    return JSON.parse(line) ?? {};
  } catch (cause) {
    // The last line of a connection that broke is cut off.
    throw new PortError('unavailable', `WATCH ${path}: a line is not JSON`, { cause });
  }
}

/** A watch answers 200 and says within it that the version is too old. */
function watchError(path: string, status: RawEvent['object']): PortError {
  const httpStatus = status?.code ?? 500;
  const said = `WATCH ${path}: ${httpStatus} ${status?.message ?? ''}`;
  return new PortError(httpStatus === 410 ? 'conflict' : 'unavailable', said, {
    cause: { httpStatus, reason: status?.reason },
  });
}
