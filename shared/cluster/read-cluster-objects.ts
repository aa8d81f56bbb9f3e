import { type Fault, newReadContext, type ObjectField, type ReadContext } from './fields.ts';
import { flattenLists, type KindedObject, type RawObject } from './flatten-lists.ts';
import { compareNamespacedName, compareText } from './order.ts';
import type { Problem } from './problem.ts';
import { readDaemonSet } from './read-daemon-set.ts';
import { readLease } from './read-lease.ts';
import { peekName } from './read-metadata.ts';
import { readNode } from './read-node.ts';
import { readPod } from './read-pod.ts';
import type { ClusterSnapshot, PodView } from './snapshot.ts';

export type { RawObject } from './flatten-lists.ts';

export interface ClusterReading {
  readonly snapshot: ClusterSnapshot;
  /** One for each field that could not be used, and what became of its object. Sorted by file and field. */
  readonly problems: readonly Problem[];
  /** Sorted, each once; `Node.longhorn.io` for a kind whose name another API group uses too. */
  readonly kindsSeen: readonly string[];
}

interface KindReader<View> {
  readonly kind: string;
  readonly groups: readonly string[];
  /** How its objects are called in a field's path. */
  readonly plural: string;
  readonly namespaced: boolean;
  readonly read: (object: ObjectField) => View;
  /** Whether the object counts even with a field that could not be used. */
  readonly keepsFaulty?: (view: View) => boolean;
}

const nodeReader = {
  kind: 'Node',
  groups: [''],
  plural: 'nodes',
  namespaced: false,
  read: readNode,
};
const podReader = {
  kind: 'Pod',
  groups: [''],
  plural: 'pods',
  namespaced: true,
  read: readPod,
  // It takes room on its node, whatever else of it is wrong: without it that room would be promised.
  keepsFaulty: ({ name, nodeName }: PodView): boolean => name !== '' && nodeName !== undefined,
};
const daemonSetReader = {
  kind: 'DaemonSet',
  groups: ['apps', 'extensions'],
  plural: 'daemonsets',
  namespaced: true,
  read: readDaemonSet,
};
const leaseReader = {
  kind: 'Lease',
  groups: ['coordination.k8s.io'],
  plural: 'leases',
  namespaced: true,
  read: readLease,
};

const groupsByKind: ReadonlyMap<string, readonly string[]> = new Map(
  [nodeReader, podReader, daemonSetReader, leaseReader].map(({ kind, groups }) => [kind, groups]),
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
  readonly quantities: ReadContext['quantities'];
  readonly problems: Problem[];
}

function readAll<View>(reader: KindReader<View>, pass: Pass): View[] {
  const views: View[] = [];
  const paths = byPath(pass.byKind.get(reader.kind) ?? [], reader);
  for (const [path, object] of paths) {
    const context: ReadContext = { faults: [], quantities: pass.quantities };
    const view = reader.read({ fields: object.fields, path, context });
    const kept = context.faults.length === 0 || reader.keepsFaulty?.(view) === true;
    if (kept) views.push(view);
    pass.problems.push(...problemsOf(context.faults, object, kept));
  }
  return views;
}

const compareProblems = (a: Problem, b: Problem): number =>
  compareText(a.file ?? '', b.file ?? '') ||
  compareText(a.field ?? '', b.field ?? '') ||
  compareText(a.message, b.message);

/**
 * Reads what kubectl or the API server printed, Lists within Lists too, into a snapshot. The order of
 * the input does not matter, but of several objects of one kind and name the last is taken. An object
 * with a field that cannot be used is named in `problems` and left out, save a pod on a node, which is
 * kept with what could be read; kinds that are not needed are passed over. Never throws, whatever the JSON.
 */
export function readClusterObjects(raws: readonly RawObject[]): ClusterReading {
  const { objects, listedKinds, problems: listProblems } = flattenLists(raws);
  const pass: Pass = {
    byKind: groupByKind(objects),
    quantities: newReadContext().quantities,
    problems: [...listProblems],
  };
  const snapshot: ClusterSnapshot = {
    nodes: readAll(nodeReader, pass).sort(compareNamespacedName),
    pods: readAll(podReader, pass).sort(compareNamespacedName),
    daemonSets: readAll(daemonSetReader, pass).sort(compareNamespacedName),
    leases: readAll(leaseReader, pass).sort(compareNamespacedName),
  };
  return {
    snapshot,
    problems: pass.problems.sort(compareProblems),
    kindsSeen: [...new Set([...pass.byKind.keys(), ...listedKinds])].sort(compareText),
  };
}
