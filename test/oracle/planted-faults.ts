import type { ClusterSnapshot, NodeView, PodView } from '#cluster/snapshot.ts';
import type { VolumeView } from '#cluster/storage-views.ts';
import { type Engine, engineFor } from './ask-engine.ts';

/** An engine with one fault: the oracle must find it, else it could not find such a fault of ours. */
export interface PlantedFault {
  readonly name: string;
  readonly engine: Engine;
}

type Blindness = Partial<{
  readonly pod: (pod: PodView) => PodView;
  readonly node: (node: NodeView) => NodeView;
  readonly snapshot: (snapshot: ClusterSnapshot) => ClusterSnapshot;
  readonly there: (pods: readonly PodView[]) => readonly PodView[];
}>;

const same = <T>(value: T): T => value;

/** The product's engine, which does not see what the functions leave out. */
const blind = (
  name: string,
  { pod = same, node = same, snapshot: cut = same, there: drop = same }: Blindness,
): PlantedFault => ({
  name,
  engine: (snapshot, there) => {
    const ask = engineFor(
      cut({ ...snapshot, nodes: snapshot.nodes.map(node) }),
      drop(there).map(pod),
    );
    return (asked) => ask(pod(asked));
  },
});

const volumes =
  (change: (volume: VolumeView) => VolumeView) =>
  (snapshot: ClusterSnapshot): ClusterSnapshot => ({
    ...snapshot,
    volumes: (snapshot.volumes ?? []).map(change),
  });

const without = <T extends object, Key extends keyof T>(value: T, key: Key): Omit<T, Key> => {
  const { [key]: _, ...rest } = value;
  return rest;
};

const spread = (change: (one: NonNullable<PodView['topologySpread']>[number]) => object) => ({
  pod: (pod: PodView): PodView =>
    pod.topologySpread === undefined
      ? pod
      : ({ ...pod, topologySpread: pod.topologySpread.map(change) } as PodView),
});

export const plantedFaults: readonly PlantedFault[] = [
  blind('cordons are forgotten', { node: (node) => ({ ...node, unschedulable: false }) }),
  blind('nominated pods are forgotten', {
    there: (pods) => pods.filter(({ nodeName }) => nodeName !== undefined),
  }),
  blind('pods that ended take room', { pod: (pod) => ({ ...pod, phase: 'Running' }) }),
  blind('spread counts pods that are being deleted', {
    pod: (pod) => without(pod, 'deletedAtMs'),
  }),
  blind(
    'minDomains is not read',
    spread((one) => without(one, 'minDomains')),
  ),
  blind(
    'spread ignores taints always',
    spread((one) => ({ ...one, nodeTaintsPolicy: 'Ignore' })),
  ),
  blind(
    'spread honours node affinity always',
    spread((one) => ({ ...one, nodeAffinityPolicy: 'Honor' })),
  ),
  blind('namespaces have no labels', {
    snapshot: (snapshot) => ({ ...snapshot, namespaces: [] }),
  }),
  blind('matchFields are not read', {
    pod: (pod) =>
      pod.requiredNodeAffinity === undefined
        ? pod
        : {
            ...pod,
            requiredNodeAffinity: pod.requiredNodeAffinity.map((term) => ({
              ...term,
              matchFields: [],
            })),
          },
  }),
  blind('host ports have no address', {
    pod: (pod) => ({
      ...pod,
      hostPorts: pod.hostPorts.map((port) => ({ ...port, hostIp: '0.0.0.0' })),
    }),
  }),
  blind('tolerations do not compare numbers', {
    pod: (pod) => ({
      ...pod,
      tolerations: pod.tolerations.map((one) =>
        one.operator === 'Gt' || one.operator === 'Lt' ? { ...one, operator: 'Equal' } : one,
      ),
    }),
  }),
  blind('features that a kubelet declares are not read', {
    node: (node) => without(node, 'declaredFeatures'),
  }),
  blind('volumes are reached from every node', {
    snapshot: volumes((volume) => without(volume, 'nodeAffinity')),
  }),
  blind('volumes are in no zone', { snapshot: volumes((volume) => ({ ...volume, labels: {} })) }),
  blind('disks of the old plugin are not migrated', {
    snapshot: volumes((volume) => without(volume, 'migrates')),
  }),
  blind('nodes attach any number of volumes', {
    snapshot: (snapshot) => ({
      ...snapshot,
      csiNodes: (snapshot.csiNodes ?? []).map((node) => ({
        ...node,
        drivers: node.drivers.map((driver) => without(driver, 'limit')),
      })),
    }),
  }),
  blind('ReadWriteOncePod is ReadWriteOnce', {
    snapshot: (snapshot) => ({
      ...snapshot,
      claims: (snapshot.claims ?? []).map((claim) => ({
        ...claim,
        accessModes: claim.accessModes.map((mode) =>
          mode === 'ReadWriteOncePod' ? 'ReadWriteOnce' : mode,
        ),
      })),
    }),
  }),
  blind('classes of volumes allow every zone', {
    snapshot: (snapshot) => ({
      ...snapshot,
      storageClasses: (snapshot.storageClasses ?? []).map((one) =>
        without(one, 'allowedTopologies'),
      ),
    }),
  }),
  blind('storage capacity is without end', {
    snapshot: (snapshot) => ({
      ...snapshot,
      csiDrivers: (snapshot.csiDrivers ?? []).map((one) => ({ ...one, tracksCapacity: false })),
    }),
  }),
];
