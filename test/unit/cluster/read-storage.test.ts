import { describe, expect, it } from 'vitest';
import { readClusterObjects } from '#cluster/read-cluster-objects.ts';
import type { ClusterSnapshot, SnapshotKind, ViewOf } from '#cluster/snapshot.ts';

const groups: Readonly<Record<string, string>> = {
  PersistentVolumeClaim: 'v1',
  PersistentVolume: 'v1',
  Namespace: 'v1',
  PodDisruptionBudget: 'policy/v1',
};

const reading = (kind: string, object: object) =>
  readClusterObjects([
    { object: { apiVersion: groups[kind] ?? 'storage.k8s.io/v1', kind, ...object } },
  ]);

function reader<Key extends SnapshotKind>(key: Key, kind: string) {
  return (object: object): ViewOf<Key> => {
    const { snapshot, problems } = reading(kind, { metadata: { name: 'x', uid: 'u' }, ...object });
    expect(problems).toEqual([]);
    const [view]: readonly ViewOf<Key>[] = (snapshot as Required<ClusterSnapshot>)[key];
    if (view === undefined) throw new Error(`no ${kind} was read`);
    return view;
  };
}

const GiB = 2 ** 30;

describe('a PersistentVolumeClaim', () => {
  const claim = reader('claims', 'PersistentVolumeClaim');

  it('gives every field of the view', () => {
    expect(
      claim({
        metadata: {
          namespace: 'shop',
          name: 'data',
          uid: 'u',
          deletionTimestamp: '2026-08-21T10:00:00Z',
          annotations: {
            'pv.kubernetes.io/bind-completed': 'yes',
            'volume.kubernetes.io/selected-node': 'n1',
          },
          ownerReferences: [{ kind: 'Pod', name: 'web-1', uid: 'pod', controller: true }],
        },
        spec: {
          volumeName: 'pv1',
          storageClassName: 'gp3',
          volumeAttributesClassName: 'fast',
          accessModes: ['ReadWriteOncePod'],
          volumeMode: 'Block',
          resources: { requests: { storage: '1.5Gi' } },
          selector: { matchLabels: { tier: 'ssd' } },
        },
        status: { phase: 'Bound' },
      }),
    ).toEqual({
      namespace: 'shop',
      name: 'data',
      uid: 'u',
      volumeName: 'pv1',
      bindCompleted: true,
      selectedNode: 'n1',
      storageClass: 'gp3',
      attributesClass: 'fast',
      accessModes: ['ReadWriteOncePod'],
      volumeMode: 'Block',
      requestedBytes: 1.5 * GiB,
      selector: { matchLabels: { tier: 'ssd' }, matchExpressions: [] },
      phase: 'Bound',
      deletedAtMs: Date.UTC(2026, 7, 21, 10),
      ownerUid: 'pod',
    });
  });

  it('tells no class from none wanted, and takes the old annotation first', () => {
    expect(claim({ spec: {} })).not.toHaveProperty('storageClass');
    expect(claim({ spec: { storageClassName: '' } }).storageClass).toBe('');
    const annotations = { 'volume.beta.kubernetes.io/storage-class': 'old' };
    const metadata = { name: 'x', annotations };
    expect(claim({ metadata, spec: { storageClassName: 'new' } }).storageClass).toBe('old');
  });

  it('with an unknown access mode is named and left out', () => {
    const spec = { accessModes: ['ReadWriteOnce', 'ReadWriteAlways'] };
    const { snapshot, problems } = reading('PersistentVolumeClaim', {
      metadata: { name: 'x' },
      spec,
    });
    expect(snapshot).not.toHaveProperty('claims');
    expect(problems.map(({ field }) => field)).toEqual([
      'persistentvolumeclaims[default/x].spec.accessModes[1]',
    ]);
  });
});

describe('a PersistentVolume', () => {
  const volume = reader('volumes', 'PersistentVolume');
  const inZone = (key: string, ...values: readonly string[]) => ({
    matchExpressions: [{ key, operator: 'In' as const, values }],
    matchFields: [],
  });
  const affinityTo = (...nodeSelectorTerms: readonly object[]) => ({
    nodeAffinity: { required: { nodeSelectorTerms } },
  });

  it('gives every field of the view', () => {
    expect(
      volume({
        metadata: { name: 'pv1', uid: 'u', labels: { tier: 'ssd' } },
        spec: {
          capacity: { storage: '10Gi' },
          accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
          storageClassName: 'gp3',
          claimRef: { namespace: 'shop', name: 'data', uid: 'c' },
          csi: { driver: 'ebs.csi.aws.com', volumeHandle: 'vol-1' },
          ...affinityTo(inZone('topology.ebs.csi.aws.com/zone', 'us-east-1a')),
        },
        status: { phase: 'Bound' },
      }),
    ).toEqual({
      name: 'pv1',
      uid: 'u',
      labels: { tier: 'ssd' },
      capacityBytes: 10 * GiB,
      accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
      volumeMode: 'Filesystem',
      storageClass: 'gp3',
      claim: { namespace: 'shop', name: 'data', uid: 'c' },
      nodeAffinity: [inZone('topology.ebs.csi.aws.com/zone', 'us-east-1a')],
      csi: { driver: 'ebs.csi.aws.com', handle: 'vol-1' },
      phase: 'Bound',
    });
  });

  describe('in the in-tree form of EBS', () => {
    const awsElasticBlockStore = { volumeID: 'aws://us-east-1a/vol-1' };
    const zone = 'topology.kubernetes.io/zone';
    const beta = 'failure-domain.beta.kubernetes.io';
    const csiZone = 'topology.ebs.csi.aws.com/zone';

    it('is known by its CSI driver, its zone by the label of that driver', () => {
      const view = volume({
        spec: { awsElasticBlockStore, ...affinityTo(inZone(zone, 'us-east-1a')) },
      });
      expect(view.csi).toEqual({ driver: 'ebs.csi.aws.com', handle: 'vol-1' });
      expect(view.nodeAffinity).toEqual([inZone(zone, 'us-east-1a')]);
      expect(view.migrates).toEqual({
        plugin: 'kubernetes.io/aws-ebs',
        nodeAffinity: [inZone(csiZone, 'us-east-1a')],
      });
    });

    it('without affinity takes the zones of its labels', () => {
      const view = (labels: object) =>
        volume({ metadata: { name: 'x', labels }, spec: { awsElasticBlockStore } }).migrates;
      expect(view({ [zone]: 'b__ a' })?.nodeAffinity).toEqual([inZone(csiZone, 'a', 'b')]);
      expect(view({ [`${beta}/zone`]: 'a' })?.nodeAffinity).toEqual([inZone(csiZone, 'a')]);
      expect(view({})).toEqual({ plugin: 'kubernetes.io/aws-ebs' });
    });

    it('has its old region label replaced', () => {
      const term = {
        matchExpressions: [
          { key: `${beta}/zone`, operator: 'In', values: ['a'] },
          { key: `${beta}/region`, operator: 'In', values: ['r'] },
        ],
      };
      const view = volume({ spec: { awsElasticBlockStore, ...affinityTo(term) } });
      expect(view.migrates?.nodeAffinity?.[0]?.matchExpressions.map(({ key }) => key)).toEqual([
        csiZone,
        'topology.kubernetes.io/region',
      ]);
    });

    it('with an id that names no volume is named and left out', () => {
      const spec = { awsElasticBlockStore: { volumeID: 'aws://us-east-1a/disk' } };
      const { problems } = reading('PersistentVolume', { metadata: { name: 'x' }, spec });
      expect(problems.map(({ field }) => field)).toEqual([
        'persistentvolumes[x].spec.awsElasticBlockStore.volumeID',
      ]);
    });
  });

  it('of another kind has no driver', () => {
    expect(volume({ spec: { local: { path: '/d' } } })).not.toHaveProperty('csi');
  });
});

describe('a StorageClass', () => {
  const storageClass = reader('storageClasses', 'StorageClass');

  it('gives every field of the view', () => {
    expect(
      storageClass({
        metadata: {
          name: 'gp3',
          annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' },
        },
        provisioner: 'ebs.csi.aws.com',
        volumeBindingMode: 'WaitForFirstConsumer',
        allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['a', 'b'] }] }],
      }),
    ).toEqual({
      name: 'gp3',
      provisioner: 'ebs.csi.aws.com',
      bindingMode: 'WaitForFirstConsumer',
      allowedTopologies: [[{ key: 'zone', values: ['a', 'b'] }]],
      isDefault: true,
    });
  });

  it('binds at once where it does not say', () => {
    expect(storageClass({ provisioner: 'p' })).toEqual({
      name: 'x',
      provisioner: 'p',
      bindingMode: 'Immediate',
      isDefault: false,
    });
  });
});

describe('what CSI drivers say', () => {
  it('of a node: limits, topology and what was migrated', () => {
    const annotations = {
      'storage.alpha.kubernetes.io/migrated-plugins': 'kubernetes.io/aws-ebs,kubernetes.io/cinder',
    };
    expect(
      reader(
        'csiNodes',
        'CSINode',
      )({
        metadata: { name: 'n1', annotations },
        spec: {
          drivers: [
            { name: 'd', nodeID: 'i-1', topologyKeys: ['zone'], allocatable: { count: 25 } },
            { name: 'e', nodeID: 'i-1', topologyKeys: null },
          ],
        },
      }),
    ).toEqual({
      name: 'n1',
      drivers: [
        { name: 'd', nodeId: 'i-1', topologyKeys: ['zone'], limit: 25 },
        { name: 'e', nodeId: 'i-1', topologyKeys: [] },
      ],
      migrated: ['kubernetes.io/aws-ebs', 'kubernetes.io/cinder'],
    });
  });

  it('of themselves', () => {
    const driver = reader('csiDrivers', 'CSIDriver');
    expect(driver({ spec: {} })).toEqual({
      name: 'x',
      tracksCapacity: false,
      attachRequired: true,
    });
    const spec = {
      storageCapacity: true,
      attachRequired: false,
      preventPodSchedulingIfMissing: true,
    };
    expect(driver({ spec })).toEqual({
      name: 'x',
      tracksCapacity: true,
      attachRequired: false,
      neededOnNode: true,
    });
  });

  it('of the room that they have', () => {
    expect(
      reader(
        'csiCapacities',
        'CSIStorageCapacity',
      )({
        metadata: { namespace: 'csi', name: 'c' },
        storageClassName: 'local',
        nodeTopology: { matchLabels: { zone: 'a' } },
        capacity: '100Gi',
        maximumVolumeSize: '10Gi',
      }),
    ).toEqual({
      namespace: 'csi',
      name: 'c',
      storageClass: 'local',
      nodeTopology: { matchLabels: { zone: 'a' }, matchExpressions: [] },
      capacityBytes: 100 * GiB,
      maximumVolumeBytes: 10 * GiB,
    });
  });
});

it('a Namespace gives its labels', () => {
  const metadata = { name: 'shop', labels: { team: 'a' } };
  expect(reader('namespaces', 'Namespace')({ metadata })).toEqual({
    name: 'shop',
    labels: { team: 'a' },
  });
});

it('a PodDisruptionBudget gives what it allows; one without a status allows nothing', () => {
  const budget = reader('disruptionBudgets', 'PodDisruptionBudget');
  const spec = { minAvailable: 1, selector: { matchLabels: { app: 'web' } } };
  const status = { disruptionsAllowed: 2, expectedPods: 3 };
  const selector = { matchLabels: { app: 'web' }, matchExpressions: [] };
  const view = { namespace: 'default', name: 'x', selector };
  expect(budget({ spec, status })).toEqual({ ...view, disruptionsAllowed: 2, expectedPods: 3 });
  expect(budget({ spec })).toEqual({ ...view, disruptionsAllowed: 0, expectedPods: 0 });
});
