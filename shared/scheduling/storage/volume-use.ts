import type { PodVolume } from '#cluster/constraints.ts';
import type { CsiNodeView } from '#cluster/storage-views.ts';
import type { NodeList } from '../state/node-list.ts';
import type { StatePod } from '../state/scheduling-state.ts';
import { attachedVolumes } from './attached-volumes.ts';
import type { StorageIndex } from './storage-index.ts';

export type Disk = Extract<PodVolume, { readonly kind: 'disk' }>;

/** What a node says of its CSI drivers. */
export type NodeDrivers = Pick<CsiNodeView, 'drivers' | 'migrated'>;

/** What placed pods do with volumes. Nothing is kept before the first pod with volumes is asked about. */
export interface VolumeUse {
  /** Looks at the placed pods, once. */
  prepare(): void;
  driversOf(node: number): NodeDrivers | undefined;
  /** Pods anywhere that name the claim. */
  usersOf(namespace: string, claim: string): number;
  /** Whether a pod on the node has the disk in a way that leaves no room for this one. */
  conflicts(disk: Disk, node: number): boolean;
  /** Whether two pods that have the disk in this way cannot be on one node. */
  excludesItself(disk: Disk): boolean;
  isAttached(node: number, driver: string, handle: string): boolean;
  attachedCount(node: number, driver: string): number;
  place(pod: StatePod, node: number): void;
  remove(pod: StatePod, node: number): void;
}

/** Adds to a count in a map; it is left out at 0. Gives what is then. */
function addTo<Key>(counts: Map<Key, number>, key: Key, amount: number): number {
  const count = (counts.get(key) ?? 0) + amount;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
  return count;
}

/** In-tree disks that VolumeRestrictions still judges; of EBS not even two readers may share one. */
const isJudged = ({ plugin }: Disk): boolean =>
  plugin === 'ebs' || plugin === 'gce' || plugin === 'iscsi' || plugin === 'rbd';

const diskKey = ({ plugin, handle }: Disk, node: number): string => `${node} ${plugin} ${handle}`;

export function volumeUse(nodes: NodeList, storage: StorageIndex): VolumeUse {
  const users = new Map<string, number>();
  const disks = new Map<string, number>();
  const writers = new Map<string, number>();
  const attached = new Map<string, number>();
  const perDriver = new Map<string, number>();
  let prepared = false;

  const driversOf = (node: number): NodeDrivers | undefined =>
    nodes.templateOf(node).csi ?? storage.csiNode(nodes.nameOf(node));
  const change = (pod: StatePod, node: number, amount: number): void => {
    if (pod.volumes === undefined || pod.volumes.length === 0) return;
    for (const volume of pod.volumes) {
      if (volume.kind === 'claim') {
        if (!volume.ephemeral) addTo(users, `${pod.namespace}/${volume.claim}`, amount);
      } else if (isJudged(volume)) {
        addTo(disks, diskKey(volume, node), amount);
        if (!volume.readOnly) addTo(writers, diskKey(volume, node), amount);
      }
    }
    for (const { driver, handle } of attachedVolumes(pod, storage, driversOf(node) !== undefined)) {
      const count = addTo(attached, `${node} ${driver}/${handle}`, amount);
      const isNews = amount > 0 ? count === amount : count === 0;
      if (isNews) addTo(perDriver, `${node} ${driver}`, amount);
    }
  };

  return {
    driversOf,
    prepare: () => {
      if (prepared) return;
      prepared = true;
      for (let node = 0; node < nodes.count; node += 1) {
        for (const pod of nodes.podsOn(node)) change(pod, node, 1);
      }
    },
    usersOf: (namespace, claim) => users.get(`${namespace}/${claim}`) ?? 0,
    conflicts: (disk, node) => {
      if (!isJudged(disk)) return false;
      const key = diskKey(disk, node);
      if (disk.plugin === 'ebs' || !disk.readOnly) return disks.has(key);
      return writers.has(key);
    },
    excludesItself: (disk) => isJudged(disk) && (disk.plugin === 'ebs' || !disk.readOnly),
    isAttached: (node, driver, handle) => attached.has(`${node} ${driver}/${handle}`),
    attachedCount: (node, driver) => perDriver.get(`${node} ${driver}`) ?? 0,
    place: (pod, node) => {
      if (prepared) change(pod, node, 1);
    },
    remove: (pod, node) => {
      if (prepared) change(pod, node, -1);
    },
  };
}
