import { PortError } from '#ports/port-error.ts';
import type { ApiClient } from './api-client.ts';
import { apiStatusOf } from './api-error.ts';
import { listPages } from './list-pages.ts';
import { type PendingPod, readPendingPod } from './pending-pod.ts';

/** What happens to the pods that have no node. */
export type PodChange =
  /** All of them: whatever was known before and is not here is gone. */
  | { readonly kind: 'listed'; readonly pods: readonly PendingPod[] }
  | { readonly kind: 'changed'; readonly pod: PendingPod }
  /** Bound, ended or deleted. */
  | { readonly kind: 'gone'; readonly pod: PendingPod };

export interface PodWatchOptions {
  readonly signal: AbortSignal;
  /** Uniform in [0, 1): full jitter on the back-off. */
  readonly random: () => number;
  /** Resolves after `ms`, or at once when `signal` is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Told of every failure, and how long the watch waits before it tries again. */
  readonly onTrouble: (error: PortError, waitMs: number) => void;
  /** Told where a watch stands that begins: a list of `pods`, or one resumed. */
  readonly onWatching?: (resourceVersion: string) => void;
}

const path = '/api/v1/pods';
/** The API server sends a bound pod as deleted to a watch with this selector: little is ever sent. */
const query = { fieldSelector: 'spec.nodeName=,status.phase=Pending' };

const firstBackOffMs = 500;
const longestBackOffMs = 30_000;
/** The server ends a watch after this long; it goes on from where it was. */
const watchSeconds = 300;
/** After so many watches in a row without an event or a bookmark the version itself is doubted. */
const mostFruitless = 3;

/**
 * Follows the pods without a node until `signal` is aborted: lists, then watches from the list's
 * resource version; a watch that ends goes on from the last version seen (bookmarks move it while nothing
 * happens); one that is refused as too old (410) or too new (504: etcd was restored to an earlier state),
 * or whose objects cannot be read, begins with a list again, and so does the one after three in a row that
 * told nothing. After a failure it waits up to twice as long each time, 30 s at most, with full jitter.
 */
export async function* watchPods(
  client: ApiClient,
  options: PodWatchOptions,
): AsyncGenerator<PodChange, void, undefined> {
  const { signal } = options;
  let version: string | undefined;
  let failures = 0;
  let fruitless = 0;
  while (!signal.aborted) {
    try {
      if (version === undefined || fruitless >= mostFruitless) {
        const list = await listPages(client, { path, query, signal }, readPods);
        version = list.resourceVersion;
        fruitless = 0;
        yield { kind: 'listed', pods: list.pages.flat() };
      }
      options.onWatching?.(version);
      fruitless += 1;
      for await (const event of watchOnce(client, version, signal)) {
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
      const trouble = error instanceof PortError ? error : unexpected(error);
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

const unexpected = (error: unknown): PortError =>
  new PortError('unavailable', `WATCH ${path}: ${String(error)}`, { cause: error });

/** None before the first failure. */
function backOffMs(failures: number, random: () => number): number {
  if (failures <= 0) return 0;
  return Math.floor(random() * Math.min(longestBackOffMs, firstBackOffMs * 2 ** (failures - 1)));
}

const readPods = (items: readonly unknown[]): readonly PendingPod[] =>
  items.map(readPendingPod).filter((pod) => pod !== undefined);

interface WatchEvent {
  readonly version: string;
  readonly change?: PodChange;
}

async function* watchOnce(
  client: ApiClient,
  resourceVersion: string,
  signal: AbortSignal,
): AsyncGenerator<WatchEvent, void, undefined> {
  const lines = client.lines(
    path,
    {
      ...query,
      watch: 'true',
      allowWatchBookmarks: 'true',
      timeoutSeconds: String(watchSeconds),
      resourceVersion,
    },
    signal,
  );
  for await (const line of lines) yield readLine(line);
}

function readLine(line: string): WatchEvent {
  const { type, object } = parse(line);
  if (type === 'ERROR') throw watchError(object);
  const version = object?.metadata?.resourceVersion;
  if (typeof version !== 'string' || version === '') {
    throw new PortError('invalid', `WATCH ${path}: an event without a resource version`);
  }
  const pod = type === 'BOOKMARK' ? undefined : readPendingPod(object);
  if (pod === undefined) return { version };
  return { version, change: { kind: type === 'DELETED' ? 'gone' : 'changed', pod } };
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

function parse(line: string): RawEvent {
  try {
    return JSON.parse(line) ?? {};
  } catch (cause) {
    // The last line of a connection that broke is cut off.
    throw new PortError('unavailable', `WATCH ${path}: a line is not JSON`, { cause });
  }
}

/** A watch answers 200 and says within it that the version is too old. */
function watchError(status: RawEvent['object']): PortError {
  const httpStatus = status?.code ?? 500;
  const said = `WATCH ${path}: ${httpStatus} ${status?.message ?? ''}`;
  return new PortError(httpStatus === 410 ? 'conflict' : 'unavailable', said, {
    cause: { httpStatus, reason: status?.reason },
  });
}
