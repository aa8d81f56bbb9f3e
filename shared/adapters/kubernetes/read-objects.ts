import { newReadMemory, type ReadMemory } from '#cluster/fields.ts';
import { isJsonObject } from '#cluster/json.ts';
import { compareNamespacedName } from '#cluster/order.ts';
import type { Problem } from '#cluster/problem.ts';
import { readClusterObjects } from '#cluster/read-cluster-objects.ts';
import type { SnapshotKind, ViewOf } from '#cluster/snapshot.ts';
import type { ClusterList } from './cluster-lists.ts';

/** What was made of one object: a view, problems, or both where it is kept with what could be read. */
export interface ReadObject<Kind extends SnapshotKind = SnapshotKind> {
  /** Empty where the object has none. */
  readonly uid: string;
  readonly view?: ViewOf<Kind>;
  readonly problems?: readonly Problem[];
}

/** Of one object; whoever mends these sees the others. */
const mostProblemsOfOne = 5;

/**
 * Reads each object of a page; nothing of the page stays in memory through what comes back. With one `memory`
 * for all pages, what their objects have alike is there once.
 */
export function readObjects<Kind extends SnapshotKind>(
  list: ClusterList<Kind>,
  items: readonly unknown[],
  memory: ReadMemory = newReadMemory(),
): readonly ReadObject<Kind>[] {
  const { kind, apiVersion, key } = list;
  const read = (some: readonly unknown[]) =>
    readClusterObjects([{ object: { kind, apiVersion, items: some } }], memory);
  const { snapshot, problems } = read(items);
  const views: readonly ViewOf<Kind>[] = snapshot[key] ?? [];
  if (problems.length === 0 && views.length === items.length) {
    return views.map((view) => ({ uid: 'uid' in view ? view.uid : '', view }));
  }
  // One by one, to know what is wrong with which.
  return items.map((item) => {
    const one = read([item]);
    const [view]: readonly ViewOf<Kind>[] = one.snapshot[key] ?? [];
    return {
      uid: uidOf(item),
      ...(view !== undefined && { view }),
      ...(one.problems.length > 0 && { problems: one.problems.slice(0, mostProblemsOfOne) }),
    };
  });
}

function uidOf(item: unknown): string {
  if (!isJsonObject(item) || !isJsonObject(item.metadata)) return '';
  const { uid } = item.metadata;
  return typeof uid === 'string' ? uid : '';
}

/**
 * The views in the order of namespace and name: etcd's order, in which pages come, is another. Of several
 * with one name the last, as the reader of one page does it.
 */
export function viewsOf<Kind extends SnapshotKind>(
  objects: Iterable<ReadObject<Kind>>,
): readonly ViewOf<Kind>[] {
  const views: ViewOf<Kind>[] = [];
  for (const { view } of objects) if (view !== undefined) views.push(view);
  return views.sort(compareNamespacedName).filter((view, index, all) => {
    const next = all[index + 1];
    return next === undefined || compareNamespacedName(view, next) !== 0;
  });
}
