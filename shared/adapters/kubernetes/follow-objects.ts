import { isJsonObject } from '#cluster/json.ts';
import type { SnapshotKind } from '#cluster/snapshot.ts';
import { PortError } from '#ports/port-error.ts';
import type { ApiClient } from './api-client.ts';
import type { ClusterList } from './cluster-lists.ts';
import type { KnownObjects } from './known-objects.ts';
import { readList } from './list-pages.ts';
import { type ReadObject, readObjects } from './read-objects.ts';
import { parseResourceVersion } from './resource-version.ts';

/**
 * Seconds that a watch lasts. The API server sends a bookmark two seconds before its end (k8s.io/apiserver 1.37,
 * pkg/storage/cacher/cache_watcher.go), so that a watch without events tells where it stands after about
 * one; a shorter one would have none.
 */
const watchSeconds = 3;
/** The whole attempt: beyond it a list is the surer way. */
const attemptMs = 6_000;

/** More changes than this share of the objects cost as much as a list. */
const mostChangedShare = 0.2;
const fewChanges = 1_000;

/**
 * Brings objects up to date without listing them: reads the current resource version R and number of objects
 * by a consistent list of one, then watches from the version known until an event or a bookmark of R or
 * later is seen, which proves that all changes up to R were. `undefined` where that is not proven: the
 * version expired, the watch ended early or was refused, an event is of no use, out of order, or does not
 * fit what is known, the number of objects at R differs, or the changes are too many; `known` is as before
 * then, and otherwise its objects are taken over by what comes back. Throws only what `signal` says.
 */
export async function followObjects<Kind extends SnapshotKind>(
  client: ApiClient,
  list: ClusterList<Kind>,
  known: KnownObjects<Kind>,
  signal: AbortSignal,
): Promise<KnownObjects<Kind> | undefined> {
  const ending = new AbortController();
  const until = AbortSignal.any([signal, ending.signal, AbortSignal.timeout(attemptMs)]);
  try {
    const from = parseResourceVersion(known.resourceVersion);
    const current = await readCurrent(client, list, until);
    if (from === undefined || current === undefined || current.version < from) return undefined;
    if (current.version === from) {
      return known.objects.size === current.count ? known : undefined;
    }
    const changes = newChanges(list, known);
    let last = from;
    for await (const line of client.lines(list.path, watchQuery(known), until)) {
      const event = readEvent(line);
      // Two events of one version there are none; a bookmark repeats the version of the last.
      if (event === undefined || event.version < last) return undefined;
      if (event.version === last && event.object !== undefined) return undefined;
      if (event.version > current.version && changes.size() !== current.count) return undefined;
      if (event.object !== undefined && !changes.apply(event.type, event.object)) return undefined;
      last = event.version;
      if (event.version < current.version) continue;
      if (event.version === current.version && changes.size() !== current.count) return undefined;
      return changes.commit(String(last));
    }
    return undefined;
  } catch (error) {
    if (signal.aborted || !(error instanceof PortError)) throw error;
    return undefined;
  } finally {
    // Ends a watch that is still open.
    ending.abort();
  }
}

const watchQuery = ({ resourceVersion }: KnownObjects) => ({
  watch: 'true',
  allowWatchBookmarks: 'true',
  timeoutSeconds: String(watchSeconds),
  resourceVersion,
});

/** A list without a resource version is consistent: its own is at least the latest when it was asked for. */
async function readCurrent(client: ApiClient, list: ClusterList, signal: AbortSignal) {
  const page = readList(list.path, await client.get(list.path, { limit: '1' }, signal));
  const version = parseResourceVersion(page.resourceVersion);
  const remaining = page.token === '' ? 0 : page.remaining;
  if (version === undefined || remaining === undefined) return undefined;
  return { version, count: page.items.length + remaining };
}

interface WatchEvent {
  readonly version: bigint;
  readonly type: string;
  /** Absent of a bookmark. */
  readonly object?: unknown;
}

function readEvent(line: string): WatchEvent | undefined {
  let event: unknown;
  try {
    event = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isJsonObject(event) || typeof event.type !== 'string') return undefined;
  const { type, object } = event;
  const metadata = isJsonObject(object) ? object.metadata : undefined;
  const version = isJsonObject(metadata)
    ? parseResourceVersion(metadata.resourceVersion)
    : undefined;
  if (version === undefined) return undefined;
  return type === 'BOOKMARK' ? { version, type } : { version, type, object };
}

/** Changes beside what is known, which stays untouched until they are committed. */
function newChanges<Kind extends SnapshotKind>(list: ClusterList<Kind>, known: KnownObjects<Kind>) {
  const most = Math.max(fewChanges, known.objects.size * mostChangedShare);
  /** Null: gone. */
  const changed = new Map<string, ReadObject<Kind> | null>();
  let size = known.objects.size;
  let events = 0;
  const isThere = (uid: string): boolean => {
    const own = changed.get(uid);
    return own === undefined ? known.objects.has(uid) : own !== null;
  };
  return {
    size: () => size,
    /** False where the event does not fit. */
    apply(type: string, raw: unknown): boolean {
      events += 1;
      const [object] = readObjects(list, [raw]);
      if (object === undefined || object.uid === '' || events > most) return false;
      const { uid } = object;
      if (isThere(uid) !== (type === 'MODIFIED' || type === 'DELETED')) return false;
      switch (type) {
        case 'ADDED':
          size += 1;
          break;
        case 'MODIFIED':
          break;
        case 'DELETED':
          size -= 1;
          changed.set(uid, null);
          return true;
        default:
          return false;
      }
      changed.set(uid, object);
      return true;
    },
    commit(resourceVersion: string): KnownObjects<Kind> {
      const { objects, listedAtMs } = known;
      for (const [uid, object] of changed) {
        if (object === null) objects.delete(uid);
        else objects.set(uid, object);
      }
      return { objects, listedAtMs, resourceVersion };
    },
  };
}
