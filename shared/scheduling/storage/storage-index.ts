import type { NodeSelectorTerm } from '#cluster/constraints.ts';
import { matchesExpression } from '#cluster/labels.ts';
import type {
  ClaimView,
  CsiCapacityView,
  CsiDriverView,
  CsiNodeView,
  StorageClassView,
  VolumeView,
} from '#cluster/storage-views.ts';
import type { Storage } from './storage.ts';

/** The objects of storage by what filters look them up by. */
export interface StorageIndex {
  claim(namespace: string, name: string): ClaimView | undefined;
  volume(name: string): VolumeView | undefined;
  /** Volumes of a class that could be bound, in the order of their names. */
  volumesOf(storageClass: string): readonly VolumeView[];
  storageClass(name: string): StorageClassView | undefined;
  driver(name: string): CsiDriverView | undefined;
  csiNode(name: string): CsiNodeView | undefined;
  capacitiesOf(storageClass: string): readonly CsiCapacityView[];
}

const byName = <View extends { readonly name: string }>(
  views: readonly View[] = [],
): ReadonlyMap<string, View> => new Map(views.map((view) => [view.name, view]));

function byClass<View extends { readonly storageClass: string }>(
  views: readonly View[] = [],
): ReadonlyMap<string, readonly View[]> {
  const classes = new Map<string, View[]>();
  for (const view of views) {
    const others = classes.get(view.storageClass);
    if (others === undefined) classes.set(view.storageClass, [view]);
    else others.push(view);
  }
  return classes;
}

const claimKey = (namespace: string, name: string): string => `${namespace}/${name}`;

export function storageIndex(storage: Storage): StorageIndex {
  const claims = new Map(
    (storage.claims ?? []).map((claim) => [claimKey(claim.namespace, claim.name), claim]),
  );
  const volumes = byName(storage.volumes);
  const volumesByClass = byClass([...volumes.values()].sort((a, b) => (a.name < b.name ? -1 : 1)));
  const classes = byName(storage.storageClasses);
  const drivers = byName(storage.csiDrivers);
  const csiNodes = byName(storage.csiNodes);
  const capacities = byClass(storage.csiCapacities);
  return {
    claim: (namespace, name) => claims.get(claimKey(namespace, name)),
    volume: (name) => volumes.get(name),
    volumesOf: (name) => volumesByClass.get(name) ?? [],
    storageClass: (name) => classes.get(name),
    driver: (name) => drivers.get(name),
    csiNode: (name) => csiNodes.get(name),
    capacitiesOf: (name) => capacities.get(name) ?? [],
  };
}

/** Fields are not asked for a volume, only whether they could be (CheckNodeAffinity). */
const fieldsCanBe = ({ matchFields }: NodeSelectorTerm): boolean =>
  matchFields.every(
    ({ operator, values }) => (operator === 'In' || operator === 'NotIn') && values.length === 1,
  );

/** Whether a volume with this node affinity can be reached from a node with these labels. */
export const isReachable = (
  terms: readonly NodeSelectorTerm[] | undefined,
  labels: Readonly<Record<string, string>>,
): boolean =>
  terms === undefined ||
  terms.some(
    (term) =>
      term.matchExpressions.length + term.matchFields.length > 0 &&
      fieldsCanBe(term) &&
      term.matchExpressions.every((one) => matchesExpression(one, labels)),
  );
