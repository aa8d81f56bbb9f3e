import { describe, expect, it } from 'vitest';
import type { ClusterSnapshot } from '#cluster/snapshot.ts';
import type {
  ClaimView,
  CsiNodeView,
  StorageClassView,
  VolumeView,
} from '#cluster/storage-views.ts';
import { decideScaleUp } from '#scaling/decide-scale-up.ts';
import {
  boundPod,
  GiB,
  group,
  type InputParts,
  instance,
  instanceType,
  nodeOf,
  override,
  pod,
  pods,
  scaleUpInput,
} from '../../helpers/scaling-builders.ts';

const driver = 'ebs.csi.aws.com';
const zoneOfDriver = 'topology.ebs.csi.aws.com/zone';

const withClaim = (claim: string) => ({
  volumes: [{ kind: 'claim' as const, claim, ephemeral: false }],
});

const claim = (name: string, over: Partial<ClaimView> = {}): ClaimView => ({
  namespace: 'default',
  name,
  uid: `uid-${name}`,
  bindCompleted: true,
  volumeName: `pv-${name}`,
  storageClass: 'gp3',
  accessModes: ['ReadWriteOnce'],
  volumeMode: 'Filesystem',
  requestedBytes: GiB,
  phase: 'Bound',
  ...over,
});

const volume = (claimed: string, over: Partial<VolumeView> = {}): VolumeView => ({
  name: `pv-${claimed}`,
  uid: `uid-pv-${claimed}`,
  labels: {},
  capacityBytes: GiB,
  accessModes: ['ReadWriteOnce'],
  volumeMode: 'Filesystem',
  storageClass: 'gp3',
  claim: { namespace: 'default', name: claimed, uid: `uid-${claimed}` },
  csi: { driver, handle: `vol-${claimed}` },
  phase: 'Bound',
  ...over,
});

const inZone = (zone: string): Partial<VolumeView> => ({
  nodeAffinity: [
    {
      matchFields: [],
      matchExpressions: [{ key: zoneOfDriver, operator: 'In', values: [zone] }],
    },
  ],
});

const gp3 = (over: Partial<StorageClassView> = {}): StorageClassView => ({
  name: 'gp3',
  provisioner: driver,
  bindingMode: 'WaitForFirstConsumer',
  isDefault: false,
  ...over,
});

const csiNode = (name: string, limit: number): CsiNodeView => ({
  name,
  drivers: [{ name: driver, nodeId: name, topologyKeys: [zoneOfDriver], limit }],
  migrated: [],
});

const decideWith = (parts: InputParts, storage: Partial<ClusterSnapshot>) => {
  const input = scaleUpInput(parts);
  return decideScaleUp({ ...input, snapshot: { ...input.snapshot, ...storage } });
};
const raisesWith = (parts: InputParts, storage: Partial<ClusterSnapshot>) =>
  decideWith(parts, storage).scaleUps.map(({ group: name, from, to }) => [name, from, to]);

const zonal = [
  group('workers-a', { zones: ['us-east-1a'] }),
  group('workers-b', { zones: ['us-east-1b'] }),
];

describe('a pod with a volume', () => {
  it('gets a node in the zone of the volume, by the label of its driver', () => {
    const storage = {
      claims: [claim('data')],
      volumes: [volume('data', inZone('us-east-1b'))],
      storageClasses: [gp3()],
    };
    const parts = { groups: zonal, pods: [pod('db', withClaim('data'))] };
    expect(raisesWith(parts, storage)).toEqual([['workers-b', 0, 1]]);
  });

  it('whose zone nobody can be sure of is told so', () => {
    const storage = { claims: [claim('data')], volumes: [volume('data', inZone('us-east-1b'))] };
    const wide = group('wide', { zones: ['us-east-1a', 'us-east-1b'] });
    const { stuck } = decideWith({ groups: [wide], pods: [pod('db', withClaim('data'))] }, storage);
    expect(stuck[0]?.reasons.map(({ code }) => code)).toEqual(['zoneNotGuaranteed']);
  });

  it('that is not made yet gets a node where its class allows one', () => {
    const storage = {
      claims: [
        { ...claim('data', { bindCompleted: false, phase: 'Pending' }), volumeName: undefined },
      ].map(({ volumeName: _, ...unbound }) => unbound),
      storageClasses: [
        gp3({ allowedTopologies: [[{ key: zoneOfDriver, values: ['us-east-1b'] }]] }),
      ],
    };
    const parts = { groups: zonal, pods: [pod('db', withClaim('data'))] };
    expect(raisesWith(parts, storage)).toEqual([['workers-b', 0, 1]]);
  });
});

describe('volumes that a node takes', () => {
  const one = instance('i-1');
  const node = nodeOf(one, {
    labels: { 'kubernetes.io/hostname': 'node-i-1', [zoneOfDriver]: 'us-east-1a' },
  });
  const workers = group('workers-a', { desired: 1, instances: [one] });
  const names = (count: number) => Array.from({ length: count }, (_, index) => `data-${index + 1}`);
  const storageOf = (count: number, limit: number) => ({
    claims: names(count).map((name) => claim(name)),
    volumes: names(count).map((name) => volume(name, inZone('us-east-1a'))),
    storageClasses: [gp3()],
    csiNodes: [csiNode(node.name, limit)],
  });
  const small = { requests: { cpu: 10, memory: GiB / 64 } };

  it('are as many as its driver says there: a pod beyond them gets a new node', () => {
    const parts = {
      groups: [workers],
      nodes: [node],
      pods: [
        boundPod('old', node.name, { ...small, ...withClaim('data-1') }),
        pod('db', { ...small, ...withClaim('data-2') }),
      ],
    };
    expect(raisesWith(parts, storageOf(2, 1))).toEqual([['workers-a', 1, 2]]);
    expect(raisesWith(parts, storageOf(2, 2))).toEqual([]);
  });

  it('are counted for the pods planned before, too', () => {
    const parts = {
      groups: [workers],
      nodes: [node],
      pods: names(3).map((name) => pod(`db-${name}`, { ...small, ...withClaim(name) })),
    };
    expect(raisesWith(parts, storageOf(3, 2))).toEqual([['workers-a', 1, 2]]);
    expect(raisesWith(parts, storageOf(3, 3))).toEqual([]);
  });

  it('are as few on a new node as on those of its type, in whatever group', () => {
    const other = group('workers-b', { zones: ['us-east-1a'] });
    const parts = {
      groups: [{ ...workers, max: 1 }, other],
      nodes: [node],
      pods: names(6).map((name) => pod(`db-${name}`, { ...small, ...withClaim(name) })),
    };
    expect(raisesWith(parts, storageOf(6, 2))).toEqual([['workers-b', 0, 2]]);
  });

  it('are as many as EC2 tells of a type of which there is no node yet', () => {
    const { csiNodes: _, ...storage } = storageOf(6, 0);
    const parts = {
      groups: [group('workers-a')],
      instanceTypes: [instanceType('m5.large', { maxDataVolumes: 3 })],
      pods: names(6).map((name) => pod(`db-${name}`, { ...small, ...withClaim(name) })),
    };
    expect(raisesWith(parts, storage)).toEqual([['workers-a', 0, 2]]);
  });

  it('are as few as on any type that AWS may choose', () => {
    const large = instance('i-2', { type: 'm5.xlarge' });
    const mixed = group('mixed', {
      overrides: [override('m5.large'), override('m5.xlarge')],
      desired: 2,
      instances: [one, large],
    });
    const nodes = [node, nodeOf(large, { labels: node.labels })];
    const storage = storageOf(9, 1);
    const parts = {
      groups: [mixed],
      nodes,
      pods: names(9).map((name) => pod(`db-${name}`, { ...small, ...withClaim(name) })),
    };
    const csiNodes = [...storage.csiNodes, csiNode(nodes[1]?.name ?? '', 4)];
    expect(raisesWith(parts, { ...storage, csiNodes })).toEqual([['mixed', 2, 6]]);
  });

  it('are not counted twice for pods that share one', () => {
    const shared = { ...small, ...withClaim('data-1') };
    const parts = { groups: [workers], nodes: [node], pods: pods(3, 'reader', shared) };
    expect(raisesWith(parts, storageOf(1, 1))).toEqual([]);
  });
});
