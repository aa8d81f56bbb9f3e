import { newReadMemory } from '#cluster/fields.ts';
import type { Problem } from '#cluster/problem.ts';
import type { SnapshotKind, ViewOf } from '#cluster/snapshot.ts';
import type { ApiClient } from './api-client.ts';
import { boundedProblems } from './bounded-problems.ts';
import type { ClusterList } from './cluster-lists.ts';
import { listPages } from './list-pages.ts';
import { type ReadObject, readObjects, viewsOf } from './read-objects.ts';

/** Every object of a kind as it was at one resource version, those that cannot be used too. */
export interface KnownObjects<Kind extends SnapshotKind = SnapshotKind> {
  readonly resourceVersion: string;
  /** When all of them were last listed. */
  readonly listedAtMs: number;
  /** By UID; by number where an object has none. */
  readonly objects: Map<string, ReadObject<Kind>>;
}

export interface ReadKind<Kind extends SnapshotKind> {
  readonly views: readonly ViewOf<Kind>[];
  readonly problems: readonly Problem[];
  /** The objects in memory are worth keeping: each has a UID, and few have problems. */
  readonly followable: boolean;
}

/** Beyond this many problems the objects are not kept, and the next look lists anew. */
const mostProblemsKept = 1_000;

/** Lists all objects of a kind, page by page. */
export async function listObjects<Kind extends SnapshotKind>(
  client: ApiClient,
  list: ClusterList<Kind>,
  look: { readonly signal: AbortSignal; readonly nowMs: number },
): Promise<KnownObjects<Kind>> {
  const request = { ...list, signal: look.signal };
  const memory = newReadMemory();
  const { pages, resourceVersion } = await listPages(client, request, (items) =>
    readObjects(list, items, memory),
  );
  const objects = new Map<string, ReadObject<Kind>>();
  for (const object of pages.flat()) {
    objects.set(object.uid === '' ? `#${objects.size}` : object.uid, object);
  }
  return { resourceVersion, listedAtMs: look.nowMs, objects };
}

/** What a snapshot takes of them; the same objects give the same, in whatever order they came. */
export function readKnown<Kind extends SnapshotKind>(
  list: ClusterList<Kind>,
  known: KnownObjects<Kind>,
): ReadKind<Kind> {
  const problems = boundedProblems(list.plural);
  let nameless = false;
  for (const { uid, problems: own } of known.objects.values()) {
    if (own !== undefined) problems.add(own);
    if (uid === '') nameless = true;
  }
  return {
    views: viewsOf(known.objects.values()),
    problems: problems.told(),
    followable: !nameless && problems.count() <= mostProblemsKept,
  };
}
