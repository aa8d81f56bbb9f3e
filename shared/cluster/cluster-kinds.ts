import type { ObjectField } from './fields.ts';
import { readClaim } from './read-claim.ts';
import { readConfigMap } from './read-config-map.ts';
import { readCsiCapacity, readCsiDriver, readCsiNode } from './read-csi.ts';
import { readDaemonSet } from './read-daemon-set.ts';
import { readDisruptionBudget } from './read-disruption-budget.ts';
import { readLease } from './read-lease.ts';
import { readNamespaceObject } from './read-namespace.ts';
import { readNode } from './read-node.ts';
import { readPod } from './read-pod.ts';
import { readStorageClass } from './read-storage-class.ts';
import { readVolume } from './read-volume.ts';
import type { PodView, SnapshotKind, ViewOf } from './snapshot.ts';

/** How objects of one kind are told and read. */
export interface KindReader<View> {
  readonly kind: string;
  readonly groups: readonly string[];
  /** How its objects are called in a field's path, as kubectl and RBAC call them. */
  readonly plural: string;
  readonly namespaced: boolean;
  readonly read: (object: ObjectField) => View;
  /** Whether the object counts even with a field that could not be used. */
  readonly keepsFaulty?: (view: View) => boolean;
}

const storage = { groups: ['storage.k8s.io'], namespaced: false } as const;
const core = { groups: [''] } as const;

/** Every kind that a snapshot holds, by the list it goes to. */
export const clusterKinds: {
  readonly [Key in SnapshotKind]: KindReader<ViewOf<Key>>;
} = {
  nodes: { ...core, kind: 'Node', plural: 'nodes', namespaced: false, read: readNode },
  pods: {
    ...core,
    kind: 'Pod',
    plural: 'pods',
    namespaced: true,
    read: readPod,
    // It takes room on its node, whatever else of it is wrong: without it that room would be promised.
    keepsFaulty: ({ name, nodeName }: PodView): boolean => name !== '' && nodeName !== undefined,
  },
  daemonSets: {
    kind: 'DaemonSet',
    groups: ['apps', 'extensions'],
    plural: 'daemonsets',
    namespaced: true,
    read: readDaemonSet,
  },
  leases: {
    kind: 'Lease',
    groups: ['coordination.k8s.io'],
    plural: 'leases',
    namespaced: true,
    read: readLease,
  },
  namespaces: {
    ...core,
    kind: 'Namespace',
    plural: 'namespaces',
    namespaced: false,
    read: readNamespaceObject,
  },
  claims: {
    ...core,
    kind: 'PersistentVolumeClaim',
    plural: 'persistentvolumeclaims',
    namespaced: true,
    read: readClaim,
  },
  volumes: {
    ...core,
    kind: 'PersistentVolume',
    plural: 'persistentvolumes',
    namespaced: false,
    read: readVolume,
  },
  storageClasses: {
    ...storage,
    kind: 'StorageClass',
    plural: 'storageclasses',
    read: readStorageClass,
  },
  csiNodes: { ...storage, kind: 'CSINode', plural: 'csinodes', read: readCsiNode },
  csiDrivers: { ...storage, kind: 'CSIDriver', plural: 'csidrivers', read: readCsiDriver },
  csiCapacities: {
    groups: ['storage.k8s.io'],
    kind: 'CSIStorageCapacity',
    plural: 'csistoragecapacities',
    namespaced: true,
    read: readCsiCapacity,
  },
  disruptionBudgets: {
    kind: 'PodDisruptionBudget',
    groups: ['policy'],
    plural: 'poddisruptionbudgets',
    namespaced: true,
    read: readDisruptionBudget,
  },
  configMaps: {
    ...core,
    kind: 'ConfigMap',
    plural: 'configmaps',
    namespaced: true,
    read: readConfigMap,
  },
};
