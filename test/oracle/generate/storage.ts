import { sceneNamespaces } from '../api.ts';
import type { SceneObject } from '../scene.ts';
import type { Dice } from './dice.ts';
import { labelSelector, nodeTerms, podLabels } from './selectors.ts';
import { hostname, oldZoneKey, regionKey, zoneKey, zones } from './words.ts';

const ebs = 'ebs.csi.aws.com';
const efs = 'efs.csi.aws.com';
const ebsPlugin = 'kubernetes.io/aws-ebs';
/** Of each namespace. */
export const claimNames = ['c0', 'c1', 'c2', 'c3', 'c4', 'c5'] as const;
const classNames = [
  ...([
    'fast',
    'fast',
    'fast',
    'fast',
    'fast',
    'manual',
    'manual',
    'manual',
    'old',
    'old',
  ] as const),
  ...(['slow', 'unknown', ''] as const),
] as const;
const sizes = ['1Gi', '2Gi', '2147483649', '5Gi', '0.5Gi'] as const;
const modes = [
  ['ReadWriteOnce'],
  ['ReadWriteOnce'],
  ['ReadWriteOnce', 'ReadWriteMany'],
  ['ReadOnlyMany'],
  ['ReadWriteOncePod'],
] as const;
const handles = ['vol-1', 'vol-2', 'vol-3', 'vol-4', 'vol-5', 'vol-6'] as const;
export const volumeCount = 14;

const storageApi = 'storage.k8s.io/v1';

const volumeMode = (dice: Dice) => dice.maybe(10, () => ({ volumeMode: 'Block' }));
const attributes = (dice: Dice) => dice.maybe(6, () => ({ volumeAttributesClassName: 'gold' }));

export const claimSpec = (dice: Dice): Record<string, unknown> => ({
  accessModes: dice.of(modes),
  resources: { requests: { storage: dice.of(sizes) } },
  ...dice.maybe(96, () => ({ storageClassName: dice.of(classNames) })),
  ...dice.maybe(8, () => ({ selector: labelSelector(dice) })),
  ...volumeMode(dice),
  ...attributes(dice),
});

const claim = (dice: Dice, namespace: string, name: string): SceneObject => {
  const binding = dice.of(['bound', 'bound', 'bound', 'half', 'open', 'open', 'open']);
  const annotations = {
    ...(binding === 'bound' ? { 'pv.kubernetes.io/bind-completed': 'yes' } : {}),
    ...dice.maybe(7, () => ({ 'volume.kubernetes.io/selected-node': `n${dice.between(0, 3)}` })),
    ...dice.maybe(4, () => ({
      'volume.beta.kubernetes.io/storage-class': dice.of(['fast', 'slow']),
    })),
  };
  const volumeName = dice.chance(98) ? `v${dice.between(0, volumeCount - 1)}` : 'v-gone';
  const leaving = dice.chance(1);
  return {
    object: {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: {
        name,
        namespace,
        annotations,
        // Without one it would be gone as soon as it is deleted.
        ...(leaving ? { finalizers: [keptBy] } : {}),
      },
      spec: { ...claimSpec(dice), ...(binding === 'open' ? {} : { volumeName }) },
    },
    ...(dice.chance(2) ? { status: { phase: 'Lost' } } : {}),
    ...(leaving ? { leaving } : {}),
  };
};

/** The finalizer of what stays although it is being deleted. */
export const keptBy = 'example.com/kept';

const source = (dice: Dice): Record<string, unknown> =>
  dice.of<() => Record<string, unknown>>([
    () => ({ csi: { driver: ebs, volumeHandle: dice.of(handles) } }),
    () => ({ csi: { driver: ebs, volumeHandle: dice.of(handles) } }),
    () => ({ csi: { driver: dice.of([efs, ebs]), volumeHandle: dice.of(handles) } }),
    () => ({
      awsElasticBlockStore: { volumeID: dice.of(['vol-1', 'aws://us-east-1a/vol-2', 'vol-3']) },
    }),
    () => ({ hostPath: { path: '/data' } }),
    () => ({ nfs: { server: 'nfs.example.com', path: '/' } }),
  ])();

/** Only a CSI volume can have a class of attributes. */
const withAttributes = (dice: Dice, from: Record<string, unknown>): Record<string, unknown> =>
  'csi' in from ? { ...from, ...attributes(dice) } : from;

const volumeZone = (dice: Dice): Record<string, string> => ({
  ...dice.maybe(30, () => ({
    [dice.of([zoneKey, zoneKey, oldZoneKey])]: dice.of([
      ...zones,
      'us-east-1a__us-east-1b',
      'us-east-1a__us-east-1a',
    ] as const),
  })),
  ...dice.maybe(8, () => ({ [regionKey]: dice.of(['us-east-1', 'eu-west-1']) })),
});

const volumeTerms = (dice: Dice, nodes: number): unknown =>
  dice.of<() => unknown>([
    () => [
      {
        matchExpressions: [
          { key: zoneKey, operator: 'In', values: dice.several(1, 2, () => dice.of(zones)) },
        ],
      },
    ],
    () => [
      {
        matchExpressions: [
          { key: hostname, operator: 'In', values: [`n${dice.between(0, nodes)}`] },
        ],
      },
    ],
    () => nodeTerms(dice, nodes),
  ])();

const volume = (dice: Dice, name: string, nodes: number): SceneObject => ({
  object: {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name, labels: { ...podLabels(dice), ...volumeZone(dice) } },
    spec: {
      capacity: { storage: dice.of(sizes) },
      accessModes: dice.of(modes),
      ...dice.maybe(85, () => ({ storageClassName: dice.of(classNames) })),
      ...dice.maybe(25, () => ({
        claimRef: {
          namespace: dice.of(sceneNamespaces),
          name: dice.of(claimNames),
          ...dice.maybe(25, () => ({ uid: 'of-another' })),
        },
      })),
      ...dice.maybe(50, () => ({
        nodeAffinity: { required: { nodeSelectorTerms: volumeTerms(dice, nodes) } },
      })),
      ...volumeMode(dice),
      ...withAttributes(dice, source(dice)),
    },
  },
  status: {
    phase: dice.of(['Available', 'Available', 'Available', 'Bound', 'Released', 'Pending']),
  },
});

const storageClass = (name: string, fields: Record<string, unknown>): SceneObject => ({
  object: { apiVersion: storageApi, kind: 'StorageClass', metadata: { name }, ...fields },
});

const topologies = (dice: Dice) =>
  dice.maybe(45, () => ({
    allowedTopologies: dice.several(1, 2, () => ({
      matchLabelExpressions: [
        { key: dice.of([zoneKey, zoneKey, 'rack']), values: [dice.of([...zones, 'a'] as const)] },
      ],
    })),
  }));

const waits = { volumeBindingMode: 'WaitForFirstConsumer' } as const;

const classes = (dice: Dice): readonly SceneObject[] => [
  storageClass('fast', { provisioner: ebs, ...waits, ...topologies(dice) }),
  storageClass('slow', { provisioner: ebs, volumeBindingMode: 'Immediate' }),
  storageClass('manual', { provisioner: 'kubernetes.io/no-provisioner', ...waits }),
  storageClass('old', { provisioner: ebsPlugin, ...waits, ...topologies(dice) }),
];

const drivers = (dice: Dice): readonly SceneObject[] =>
  dice.some([ebs, efs], 85).map((name) => ({
    object: {
      apiVersion: storageApi,
      kind: 'CSIDriver',
      metadata: { name },
      spec: {
        attachRequired: dice.chance(85),
        ...dice.maybe(50, () => ({ storageCapacity: dice.chance(70) })),
        ...dice.maybe(30, () => ({ preventPodSchedulingIfMissing: dice.chance(70) })),
      },
    },
  }));

const csiNode = (dice: Dice, name: string): SceneObject => ({
  object: {
    apiVersion: storageApi,
    kind: 'CSINode',
    metadata: {
      name,
      ...dice.maybe(40, () => ({
        annotations: { 'storage.alpha.kubernetes.io/migrated-plugins': ebsPlugin },
      })),
    },
    spec: {
      drivers: dice.some([ebs, efs], 80).map((driver) => ({
        name: driver,
        nodeID: `i-${name}`,
        topologyKeys: [zoneKey],
        ...dice.maybe(75, () => ({ allocatable: { count: dice.of([0, 1, 2, 3, 25]) } })),
      })),
    },
  },
});

const capacity = (dice: Dice, index: number): SceneObject => ({
  object: {
    apiVersion: storageApi,
    kind: 'CSIStorageCapacity',
    metadata: { name: `room-${index}`, namespace: 'default' },
    storageClassName: dice.of(['fast', 'fast', 'slow', 'old']),
    ...dice.maybe(85, () => ({
      nodeTopology: dice.chance(85) ? { matchLabels: { [zoneKey]: dice.of(zones) } } : {},
    })),
    ...dice.maybe(85, () => ({ capacity: dice.of(sizes) })),
    ...dice.maybe(35, () => ({ maximumVolumeSize: dice.of(sizes) })),
  },
});

/** All objects of storage of a scene; some that are named are missing. */
export const storage = (dice: Dice, nodes: number): readonly SceneObject[] => [
  ...classes(dice),
  ...drivers(dice),
  ...Array.from({ length: volumeCount }, (_, index) => volume(dice, `v${index}`, nodes)),
  ...sceneNamespaces.flatMap((namespace) =>
    dice.some(claimNames, 97).map((name) => claim(dice, namespace, name)),
  ),
  ...Array.from({ length: nodes }, (_, index) => `n${index}`)
    .filter(() => dice.chance(88))
    .map((name) => csiNode(dice, name)),
  ...Array.from({ length: dice.between(0, 5) }, (_, index) => capacity(dice, index)),
];
