import type { ClusterSnapshot } from '#cluster/snapshot.ts';

/** The objects of storage that filters look at. */
export type Storage = Pick<
  ClusterSnapshot,
  'claims' | 'volumes' | 'storageClasses' | 'csiNodes' | 'csiDrivers' | 'csiCapacities'
>;
