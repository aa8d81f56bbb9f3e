import type { AutoScalingGroup, InstanceType, NodeGroupsView } from '#scaling/aws-views.ts';
import { type Dice, diceOf } from './generate/dice.ts';
import type { SceneObject } from './scene.ts';

/** Groups, nodes that are there, and pods that arrive at once. */
export interface FollowCase {
  readonly name: string;
  readonly nodeGroups: NodeGroupsView;
  readonly nodes: readonly SceneObject[];
  readonly pods: readonly SceneObject[];
}

export const zoneLabel = 'topology.kubernetes.io/zone';
const zones = ['us-east-1a', 'us-east-1b', 'us-east-1c'] as const;

const type = (name: string, vcpu: number, memoryGiB: number): InstanceType => ({
  name,
  vcpu,
  memoryMiB: memoryGiB * 1024,
  architecture: 'amd64',
  maxNetworkInterfaces: 4,
  ipv4PerInterface: 15,
  devices: {},
  bareMetal: false,
});

const instanceTypes = [
  type('m5.large', 2, 8),
  type('c5.xlarge', 4, 8),
  type('r5.xlarge', 4, 32),
  type('m5.2xlarge', 8, 32),
] as const;

/** In millionths of a dollar per hour. */
export const pricesMicro: Readonly<Record<string, number>> = {
  'm5.large': 96_000,
  'c5.xlarge': 170_000,
  'r5.xlarge': 252_000,
  'm5.2xlarge': 384_000,
};

const group = (dice: Dice, index: number): AutoScalingGroup => ({
  name: `workers-${index}`,
  min: 0,
  max: 200,
  desired: 0,
  zones: dice.chance(40) ? [...zones] : [dice.of(zones)],
  tags: {},
  launchTemplate: { id: `lt-${dice.of(instanceTypes).name}`, version: '$Latest' },
  overrides: [],
  instances: [],
  suspendedProcesses: [],
  newInstancesProtected: false,
});

const ready = { conditions: [{ type: 'Ready', status: 'True' }] };

/** A Node as its kubelet would have made it. */
export const nodeObject = (
  name: string,
  labels: Readonly<Record<string, string>>,
  allocatable: Readonly<Record<string, string>>,
): SceneObject => ({
  object: {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { ...labels, 'kubernetes.io/hostname': name } },
    spec: {},
  },
  status: { ...ready, capacity: allocatable, allocatable },
});

/** What pods of one kind have alike. */
const kindOfPods = (dice: Dice, index: number) => {
  const labels = { app: `app-${index}` };
  const selector = { labelSelector: { matchLabels: labels } };
  const spread = (topologyKey: string, whenUnsatisfiable: string) => ({
    topologySpreadConstraints: [{ topologyKey, maxSkew: 1, whenUnsatisfiable, ...selector }],
  });
  const demand = dice.of([
    {},
    {},
    {},
    spread(zoneLabel, 'ScheduleAnyway'),
    spread('kubernetes.io/hostname', 'ScheduleAnyway'),
    spread(zoneLabel, 'DoNotSchedule'),
    {
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: 'kubernetes.io/hostname', ...selector },
          ],
        },
      },
    },
    {
      affinity: {
        podAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 50, podAffinityTerm: { topologyKey: zoneLabel, ...selector } },
          ],
        },
      },
    },
  ]);
  const isApart = 'affinity' in demand && 'podAntiAffinity' in (demand.affinity ?? {});
  return {
    labels,
    count: isApart ? dice.between(2, 6) : dice.between(2, 25),
    spec: {
      ...demand,
      terminationGracePeriodSeconds: 0,
      containers: [
        {
          name: 'main',
          image: 'example.com/image:1',
          resources: {
            requests: {
              cpu: `${dice.between(2, 36) * 50}m`,
              memory: `${dice.between(2, 50) * 100}Mi`,
            },
          },
        },
      ],
    },
  };
};

/** Number `index` of the cases of a seed. */
export const followCase = (seed: number, index: number): FollowCase => {
  const dice = diceOf(seed, `follow ${index}`);
  const groups = Array.from({ length: dice.between(1, 4) }, (_, at) => group(dice, at));
  const nodes = Array.from({ length: dice.between(0, 4) }, (_, at) =>
    nodeObject(
      `old-${at}`,
      { [zoneLabel]: dice.of(zones) },
      { cpu: '1930m', memory: '7000Mi', pods: '29', 'ephemeral-storage': '17Gi' },
    ),
  );
  const kinds = Array.from({ length: dice.between(1, 5) }, (_, at) => kindOfPods(dice, at));
  const pods = kinds.flatMap(({ labels, count, spec }) =>
    Array.from({ length: count }, (_, at) => ({
      object: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: `${labels.app}-${at}`, namespace: 'default', labels },
        spec,
      },
    })),
  );
  return {
    name: `seed ${seed}, case ${index}`,
    nodeGroups: {
      region: 'us-east-1',
      groups,
      instanceTypes,
      launchTemplates: instanceTypes.map(({ name }) => ({
        id: `lt-${name}`,
        name,
        version: 1,
        isDefault: true,
        instanceType: name,
        byAttributes: false,
        rootVolumeGiB: 20,
      })),
    },
    nodes,
    pods,
  };
};
