import fc from 'fast-check';
import type { PodVolume } from '#cluster/constraints.ts';
import type {
  ClaimView,
  CsiCapacityView,
  CsiDriverView,
  CsiNodeView,
  StorageClassView,
  VolumeView,
} from '#cluster/storage-views.ts';
import type { StatePod } from '#scheduling/state/scheduling-state.ts';
import type { Storage } from '#scheduling/storage/storage.ts';
import { clean, labelSelector, mostly, seldom } from './state-arbitraries.ts';

/* Storage of the small clusters in state-arbitraries.ts: few names, so that they often meet. */

const zoneLabel = 'topology.kubernetes.io/zone';
const ebs = 'ebs.csi.aws.com';
const ebsPlugin = 'kubernetes.io/aws-ebs';
const claimNames = ['c0', 'c1', 'c2', 'c3', 'p0-own', 'p1-own'] as const;
const volumeNames = ['v0', 'v1', 'v2', 'v3'] as const;
const className = fc.constantFrom(
  ...['fast', 'fast', 'fast', 'manual', 'manual', 'old', 'old', 'slow', 'unknown'],
);
const zone = fc.constantFrom('z1', 'z2', 'z3');
const bytes = fc.integer({ min: 0, max: 3 });
const gone = seldom(fc.constant(1), 20);
const attributesClass = seldom(fc.constantFrom('gold', ''), 9);
const volumeMode = fc.oneof(
  { weight: 8, arbitrary: fc.constant('Filesystem' as const) },
  { weight: 1, arbitrary: fc.constant('Block' as const) },
);
const accessModes = fc.constantFrom(
  ['ReadWriteOnce' as const],
  ['ReadWriteOnce' as const, 'ReadWriteMany' as const],
  ['ReadWriteOncePod' as const],
);

const inZones = (key: string, values: readonly string[]) => [
  { matchExpressions: [{ key, operator: 'In' as const, values }], matchFields: [] },
];

const binds = [
  'bound',
  'bound',
  'bound',
  'bound',
  'half',
  'open',
  'open',
  'open',
  'open',
  'open',
] as const;

const claim = (name: string): fc.Arbitrary<ClaimView> =>
  fc
    .record({
      binding: fc.constantFrom(...binds),
      volume: fc.constantFrom(...volumeNames, ...volumeNames, 'v-gone'),
      selectedNode: seldom(fc.constantFrom('n0', 'n1'), 7),
      storageClass: mostly(className, 9),
      attributesClass,
      accessModes,
      volumeMode,
      requestedBytes: bytes,
      selector: seldom(labelSelector, 5),
      lost: fc.integer({ min: 0, max: 24 }).map((roll) => roll === 0),
      deletedAtMs: gone,
      ownerUid: fc.constantFrom(name.startsWith('p1') ? 'uid-p1' : 'uid-p0', 'uid-p0'),
    })
    .map(({ binding, volume, lost, ...rest }) =>
      clean({
        namespace: 'default',
        name,
        uid: `uid-${name}`,
        ...rest,
        volumeName: binding === 'open' ? undefined : volume,
        bindCompleted: binding === 'bound',
        phase: lost ? ('Lost' as const) : ('Pending' as const),
      }),
    ) as fc.Arbitrary<ClaimView>;

const reference = fc
  .record({
    namespace: fc.constantFrom('default', 'default', 'other'),
    name: fc.constantFrom(...claimNames),
    uid: fc.constantFrom(undefined, 'uid-c0', 'uid-c1', 'uid-else'),
  })
  .map(clean);

const volume = (name: string): fc.Arbitrary<VolumeView> =>
  fc
    .record({
      labels: fc.oneof(
        fc.constant<Record<string, string>>({}),
        zone.map((value) => ({ [zoneLabel]: value, a: '1' })),
        fc.constantFrom<Record<string, string>>(
          { [zoneLabel]: 'z1__z2' },
          { [zoneLabel]: 'z1__' },
          { 'failure-domain.beta.kubernetes.io/zone': 'z1' },
        ),
      ),
      capacityBytes: bytes,
      accessModes,
      volumeMode,
      storageClass: className,
      attributesClass,
      claim: seldom(reference, 4),
      nodeAffinity: fc.option(
        fc.oneof(
          zone.map((value) => inZones('zone', [value])),
          fc.constantFrom('n0', 'n1').map((name) => inZones('kubernetes.io/hostname', [name])),
          fc.constant([
            {
              matchExpressions: [],
              matchFields: [{ key: 'metadata.name', operator: 'In' as const, values: ['n9'] }],
            },
          ]),
          fc.constant([]),
        ),
        { nil: undefined, freq: 2 },
      ),
      source: fc.constantFrom('csi', 'csi', 'inTree', 'none'),
      handle: fc.constantFrom('vol-1', 'vol-2', 'vol-3'),
      phase: fc.constantFrom('Available' as const, 'Available' as const, 'Released' as const),
      deletedAtMs: gone,
    })
    .map(({ source, handle, ...rest }) =>
      clean({
        name,
        uid: `uid-${name}`,
        ...rest,
        csi: source === 'none' ? undefined : { driver: ebs, handle },
        migrates:
          source === 'inTree'
            ? { plugin: ebsPlugin, nodeAffinity: inZones('zone', ['z1']) }
            : undefined,
      }),
    ) as fc.Arbitrary<VolumeView>;

const storageClasses: fc.Arbitrary<StorageClassView[]> = fc
  .option(
    fc.array(
      fc.array(fc.record({ key: fc.constant('zone'), values: fc.array(zone, { maxLength: 2 }) }), {
        maxLength: 1,
      }),
      { maxLength: 2 },
    ),
    { nil: undefined },
  )
  .map((allowedTopologies) =>
    [
      { name: 'fast', provisioner: ebs, bindingMode: 'WaitForFirstConsumer', allowedTopologies },
      { name: 'slow', provisioner: ebs, bindingMode: 'Immediate' },
      {
        name: 'manual',
        provisioner: 'kubernetes.io/no-provisioner',
        bindingMode: 'WaitForFirstConsumer',
      },
      { name: 'old', provisioner: ebsPlugin, bindingMode: 'WaitForFirstConsumer' },
    ].map((one) => clean({ ...one, isDefault: false }) as StorageClassView),
  );

const csiNodes: fc.Arbitrary<CsiNodeView[]> = fc
  .array(
    fc.option(
      fc
        .record({
          limit: mostly(fc.integer({ min: 0, max: 3 }), 4),
          has: fc.constantFrom(true, true, true, false),
          migrated: fc.constantFrom<string[]>([], [ebsPlugin]),
        })
        .map(({ limit, has, migrated }) => ({
          drivers: has ? [clean({ name: ebs, nodeId: 'i-1', topologyKeys: [], limit })] : [],
          migrated,
        })),
      { nil: undefined, freq: 4 },
    ),
    { minLength: 4, maxLength: 4 },
  )
  .map((list) =>
    list.flatMap((one, index) =>
      one === undefined ? [] : [{ name: `n${index}`, ...one } as CsiNodeView],
    ),
  );

const csiDrivers: fc.Arbitrary<CsiDriverView[]> = fc
  .record({ tracksCapacity: fc.boolean(), neededOnNode: seldom(fc.boolean(), 3) })
  .map((one) => [clean({ name: ebs, attachRequired: true, ...one }) as CsiDriverView]);

const csiCapacities: fc.Arbitrary<CsiCapacityView[]> = fc.array(
  fc
    .record({
      storageClass: fc.constantFrom('fast', 'slow'),
      nodeTopology: mostly(
        zone.map((value) => ({ matchLabels: { zone: value }, matchExpressions: [] })),
        6,
      ),
      capacityBytes: mostly(bytes, 6),
      maximumVolumeBytes: seldom(bytes, 3),
    })
    .map((one) => clean({ namespace: 'kube-system', name: 'capacity', ...one }) as CsiCapacityView),
  { maxLength: 3 },
);

/** Some of the claims and volumes that pods name, and all that there is to know about them. */
export const storages: fc.Arbitrary<Storage> = fc.record({
  claims: fc
    .tuple(...claimNames.map((name) => mostly(claim(name), 15)))
    .map((list) => list.filter((one) => one !== undefined)),
  volumes: fc
    .tuple(...volumeNames.map((name) => mostly(volume(name), 12)))
    .map((list) => list.filter((one) => one !== undefined)),
  storageClasses,
  csiNodes,
  csiDrivers,
  csiCapacities,
});

const claimVolume: fc.Arbitrary<PodVolume> = fc.record({
  kind: fc.constant('claim' as const),
  claim: fc.constantFrom('c0', 'c1', 'c2', 'c3'),
  ephemeral: fc.constant(false),
});
const disk: fc.Arbitrary<PodVolume> = fc.record({
  kind: fc.constant('disk' as const),
  plugin: fc.constantFrom('ebs' as const, 'ebs' as const, 'gce' as const, 'vsphere' as const),
  handle: fc.constantFrom('vol-1', 'aws://z1/vol-2'),
  readOnly: fc.boolean(),
});
const podVolumes = fc.record({
  volumes: fc.uniqueArray(
    fc.oneof({ weight: 4, arbitrary: claimVolume }, { weight: 1, arbitrary: disk }),
    {
      maxLength: 3,
      selector: (one) => (one.kind === 'claim' ? one.claim : one.handle),
    },
  ),
  own: fc.integer({ min: 0, max: 5 }).map((roll) => roll === 0),
});

/** The same pods, with volumes. */
export const withVolumes = (pods: fc.Arbitrary<StatePod[]>): fc.Arbitrary<StatePod[]> =>
  pods.chain((list) =>
    fc.array(podVolumes, { minLength: list.length, maxLength: list.length }).map((given) =>
      list.map((pod, index) => {
        const { volumes = [], own = false } = given[index] ?? {};
        const ephemeral = { kind: 'claim' as const, claim: `${pod.name}-own`, ephemeral: true };
        return { ...pod, namespace: 'default', volumes: own ? [...volumes, ephemeral] : volumes };
      }),
    ),
  );
