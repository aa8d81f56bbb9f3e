import { describe, expect, it } from 'vitest';
import type { PodEvent } from '#cluster/pod-event.ts';
import { readClusterObjects } from '#cluster/read-cluster-objects.ts';
import type { ClusterApi } from '#ports/cluster-api.ts';

export interface ClusterApiAdapters {
  /** Its storage, a PodDisruptionBudget and a ConfigMap are those of `filteredObjects`. */
  readonly clusterApi: ClusterApi;
  /** Name of a node that the cluster has. */
  readonly node: string;
  /** A pod that is Pending; it asks for 64000 m of CPU, which no node has. */
  readonly pending: { readonly namespace: string; readonly name: string };
  /** Messages of the Events on the pending pod, in any order. */
  messages(): Promise<readonly string[]>;
}

/** What filters look at, one object of each kind, as the API server takes them. */
export const filteredObjects = [
  {
    path: '/apis/storage.k8s.io/v1/storageclasses',
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'zonal' },
    provisioner: 'ebs.csi.aws.com',
    volumeBindingMode: 'WaitForFirstConsumer',
  },
  {
    path: '/api/v1/namespaces/default/persistentvolumeclaims',
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data', namespace: 'default' },
    spec: {
      storageClassName: 'zonal',
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
    },
  },
  {
    path: '/api/v1/persistentvolumes',
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'disk' },
    spec: {
      storageClassName: 'other',
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      csi: { driver: 'ebs.csi.aws.com', volumeHandle: 'vol-1' },
    },
  },
  {
    path: '/apis/storage.k8s.io/v1/csinodes',
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: { name: 'somewhere' },
    spec: {
      drivers: [{ name: 'ebs.csi.aws.com', nodeID: 'i-1', allocatable: { count: 25 } }],
    },
  },
  {
    path: '/apis/storage.k8s.io/v1/csidrivers',
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIDriver',
    metadata: { name: 'ebs.csi.aws.com' },
    spec: { storageCapacity: true },
  },
  {
    path: '/apis/storage.k8s.io/v1/namespaces/default/csistoragecapacities',
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIStorageCapacity',
    metadata: { name: 'room', namespace: 'default' },
    storageClassName: 'zonal',
    nodeTopology: { matchLabels: { zone: 'a' } },
    capacity: '1Gi',
  },
  {
    path: '/apis/policy/v1/namespaces/default/poddisruptionbudgets',
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web', namespace: 'default' },
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
  },
  {
    path: '/api/v1/namespaces/kube-system/configmaps',
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'cluster-autoscaler-priority-expander', namespace: 'kube-system' },
    data: { priorities: '10: [".*"]' },
  },
] as const;

/** The same, read. */
export const filteredViews = () => {
  const { nodes, pods, daemonSets, leases, ...others } = readClusterObjects(
    filteredObjects.map(({ path, ...object }) => ({ object })),
  ).snapshot;
  return others;
};

/** What every ClusterApi does. */
export function describeClusterApiContract(
  name: string,
  makeAdapters: () => ClusterApiAdapters | Promise<ClusterApiAdapters>,
): void {
  describe(`ClusterApi: ${name}`, () => {
    const start = async () => {
      const adapters = await makeAdapters();
      const { snapshot, problems } = await adapters.clusterApi.snapshot();
      const pod = snapshot.pods.find(
        ({ namespace, name }) =>
          namespace === adapters.pending.namespace && name === adapters.pending.name,
      );
      if (pod === undefined) throw new Error('the pending pod is not in the snapshot');
      const eventOf = (message: string): PodEvent => ({
        namespace: pod.namespace,
        pod: pod.name,
        podUid: pod.uid,
        type: 'Normal',
        reason: 'TriggeredScaleUp',
        message,
        atMs: 1_700_000_000_123,
      });
      return { ...adapters, snapshot, problems, pod, eventOf };
    };

    it('shows the nodes and pods that there are', async () => {
      const { snapshot, problems, pod, node } = await start();
      expect(problems).toEqual([]);
      expect(snapshot.nodes.map((each) => each.name)).toContain(node);
      expect(pod).toMatchObject({ phase: 'Pending', requests: { cpu: 64_000 } });
      expect(pod.uid).not.toBe('');
      expect(pod.nodeName).toBeUndefined();
    });

    it('shows what filters look at beside nodes and pods', async () => {
      const { snapshot, pod } = await start();
      expect(snapshot.namespaces).toContainEqual({
        name: pod.namespace,
        labels: { 'kubernetes.io/metadata.name': pod.namespace },
      });
      expect(snapshot.storageClasses).toEqual([
        {
          name: 'zonal',
          provisioner: 'ebs.csi.aws.com',
          bindingMode: 'WaitForFirstConsumer',
          isDefault: false,
        },
      ]);
      expect(snapshot.claims).toMatchObject([
        { namespace: 'default', name: 'data', storageClass: 'zonal', requestedBytes: 2 ** 30 },
      ]);
      expect(snapshot.volumes).toMatchObject([
        { name: 'disk', csi: { driver: 'ebs.csi.aws.com', handle: 'vol-1' } },
      ]);
      expect(snapshot.csiNodes).toMatchObject([
        { name: 'somewhere', drivers: [{ name: 'ebs.csi.aws.com', limit: 25 }] },
      ]);
      expect(snapshot.csiDrivers).toEqual([
        { name: 'ebs.csi.aws.com', tracksCapacity: true, attachRequired: true },
      ]);
      expect(snapshot.csiCapacities).toMatchObject([
        { name: 'room', storageClass: 'zonal', capacityBytes: 2 ** 30 },
      ]);
      expect(snapshot.disruptionBudgets).toMatchObject([
        { name: 'web', selector: { matchLabels: { app: 'web' } } },
      ]);
    });

    it('shows the ConfigMap of priorities, and no other', async () => {
      const { snapshot } = await start();
      expect(snapshot.configMaps).toEqual([
        {
          namespace: 'kube-system',
          name: 'cluster-autoscaler-priority-expander',
          data: { priorities: '10: [".*"]' },
        },
      ]);
    });

    it('says the same word on a pod once, however often it is posted', async () => {
      const { clusterApi, messages, eventOf } = await start();
      await clusterApi.postPodEvent(eventOf('group a raised from 1 to 2'));
      await clusterApi.postPodEvent({
        ...eventOf('group a raised from 1 to 2'),
        atMs: 1_800_000_000_000,
      });
      await clusterApi.postPodEvent(eventOf('group b raised from 1 to 2'));
      expect((await messages()).toSorted()).toEqual([
        'group a raised from 1 to 2',
        'group b raised from 1 to 2',
      ]);
    });
  });
}
