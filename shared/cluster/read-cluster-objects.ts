import { clusterKinds, type KindReader } from './cluster-kinds.ts';
import { type Fault, newReadMemory, type ReadContext, type ReadMemory } from './fields.ts';
import { flattenLists, type KindedObject, type RawObject } from './flatten-lists.ts';
import { compareNamespacedName, compareText } from './order.ts';
import type { Problem } from './problem.ts';
import { peekName } from './read-metadata.ts';
import type { ClusterSnapshot, SnapshotKind, ViewOf } from './snapshot.ts';

export type { RawObject } from './flatten-lists.ts';

export interface ClusterReading {
  readonly snapshot: ClusterSnapshot;
  /** One for each field that could not be used, and what became of its object. Sorted by file and field. */
  readonly problems: readonly Problem[];
  /** Sorted, each once; `Node.longhorn.io` for a kind whose name another API group uses too. */
  readonly kindsSeen: readonly string[];
}

const groupsByKind: ReadonlyMap<string, readonly string[]> = new Map(
  Object.values(clusterKinds).map(({ kind, groups }) => [kind, groups]),
);

/** The kind, with its API group where that is not the one read here: others have a `Node` too. */
function seenAs({ kind, group }: KindedObject): string {
  const groups = groupsByKind.get(kind);
  return groups === undefined || group === undefined || groups.includes(group)
    ? kind
    : `${kind}.${group}`;
}

function groupByKind(
  objects: readonly KindedObject[],
): ReadonlyMap<string, readonly KindedObject[]> {
  const byKind = new Map<string, KindedObject[]>();
  for (const object of objects) {
    const kind = seenAs(object);
    const known = byKind.get(kind);
    if (known) known.push(object);
    else byKind.set(kind, [object]);
  }
  return byKind;
}

/** By path, of objects with the same name the last one. A nameless one is told by its place. */
function byPath(
  objects: readonly KindedObject[],
  { plural, namespaced }: Pick<KindReader<unknown>, 'plural' | 'namespaced'>,
): ReadonlyMap<string, KindedObject> {
  const paths = new Map<string, KindedObject>();
  objects.forEach((object, index) => {
    const name = peekName(object.fields, namespaced) ?? `#${index + 1}`;
    paths.set(`${plural}[${name}]`, object);
  });
  return paths;
}

/** Each faulty field once: some are looked at more than once. */
function problemsOf(
  faults: readonly Fault[],
  { kind, file }: KindedObject,
  kept: boolean,
): readonly Problem[] {
  const outcome = kept ? 'is kept without it' : 'is left out';
  const problems = new Map<string, Problem>();
  for (const { path, code, message } of faults) {
    if (problems.has(path)) continue;
    problems.set(path, {
      ...(file === undefined ? {} : { file }),
      field: path,
      code,
      message: `${message}. The ${kind} ${outcome}.`,
    });
  }
  return [...problems.values()];
}

interface Pass {
  readonly byKind: ReadonlyMap<string, readonly KindedObject[]>;
  readonly memory: ReadMemory;
  readonly problems: Problem[];
}

function readAll<Key extends SnapshotKind>(key: Key, pass: Pass): readonly ViewOf<Key>[] {
  const reader: KindReader<ViewOf<Key>> = clusterKinds[key];
  const views: ViewOf<Key>[] = [];
  const paths = byPath(pass.byKind.get(reader.kind) ?? [], reader);
  for (const [path, object] of paths) {
    const context: ReadContext = { faults: [], memory: pass.memory };
    const view = reader.read({ fields: object.fields, path, context });
    const kept = context.faults.length === 0 || reader.keepsFaulty?.(view) === true;
    if (kept) views.push(view);
    pass.problems.push(...problemsOf(context.faults, object, kept));
  }
  return (views satisfies { readonly name: string }[]).sort(compareNamespacedName);
}

/** Absent where there are none: most clusters lack some, and a journal keeps the rest. */
const optionalLists = [
  'namespaces',
  'claims',
  'volumes',
  'storageClasses',
  'csiNodes',
  'csiDrivers',
  'csiCapacities',
  'disruptionBudgets',
  'configMaps',
] as const satisfies readonly SnapshotKind[];

const readOptional = (pass: Pass): Partial<ClusterSnapshot> =>
  Object.fromEntries(
    optionalLists
      .map((key) => [key, readAll(key, pass)] as const)
      .filter(([, views]) => views.length > 0),
  );

const compareProblems = (a: Problem, b: Problem): number =>
  compareText(a.file ?? '', b.file ?? '') ||
  compareText(a.field ?? '', b.field ?? '') ||
  compareText(a.message, b.message);

/**
 * Reads what kubectl or the API server printed, Lists within Lists too, into a snapshot. The order of
 * the input does not matter, but of several objects of one kind and name the last is taken. An object
 * with a field that cannot be used is named in `problems` and left out, save a pod on a node, which is
 * kept with what could be read; kinds that are not needed are passed over. Never throws, whatever the JSON.
 * `memory` is for whoever reads a list page by page: what pages have alike is then one object.
 */
export function readClusterObjects(
  raws: readonly RawObject[],
  memory: ReadMemory = newReadMemory(),
): ClusterReading {
  const { objects, listedKinds, problems: listProblems } = flattenLists(raws);
  const pass: Pass = { byKind: groupByKind(objects), memory, problems: [...listProblems] };
  const snapshot: ClusterSnapshot = {
    nodes: readAll('nodes', pass),
    pods: readAll('pods', pass),
    daemonSets: readAll('daemonSets', pass),
    leases: readAll('leases', pass),
    ...readOptional(pass),
  };
  return {
    snapshot,
    problems: pass.problems.sort(compareProblems),
    kindsSeen: [...new Set([...pass.byKind.keys(), ...listedKinds])].sort(compareText),
  };
}
