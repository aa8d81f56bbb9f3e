import type { Resources } from '#cluster/resources.ts';
import type { DaemonSetView, NodeView, PodView } from '#cluster/snapshot.ts';
import type {
  AutoScalingGroup,
  ForeignInstance,
  GroupInstance,
  InstanceType,
  LaunchTemplateVersion,
  ScalingActivity,
} from '#scaling/aws-views.ts';
import type { ScaleUpInput } from '#scaling/decision.ts';
import type { BackOff, LedgerEntry } from '#scaling/ledger.ts';
import { defaultScalingPolicy, type ScalingPolicy } from '#scaling/policy.ts';
import { buildConstraints, buildNode, buildPod } from './cluster-builders.ts';

/** The moment at which the built inputs are looked at. */
export const now = 1_800_000_000_000;
export const minute = 60_000;
export const MiB = 1024 ** 2;
export const GiB = 1024 ** 3;

export const cpuAndMemory = (cpu: number, memory: number = GiB): Resources => ({ cpu, memory });

export const node = (name: string, over: Partial<NodeView> = {}): NodeView =>
  buildNode(name, {
    labels: { 'kubernetes.io/hostname': name },
    createdAtMs: now - 60 * minute,
    capacity: { cpu: 2000, memory: 8 * GiB, 'ephemeral-storage': 20 * GiB, pods: 29 },
    allocatable: { cpu: 1930, memory: 7 * GiB, 'ephemeral-storage': 17 * GiB, pods: 29 },
    ...over,
  });

/** A Node of an instance. */
export const nodeOf = (instance: GroupInstance, over: Partial<NodeView> = {}): NodeView =>
  node(`node-${instance.id}`, {
    providerId: `aws:///${instance.zone}/${instance.id}`,
    ...over,
  });

/** A pod that the scheduler could not place. */
export const pod = (name: string, over: Partial<PodView> = {}): PodView =>
  buildPod(name, {
    createdAtMs: now - minute,
    owner: { kind: 'ReplicaSet', name: 'web', uid: 'uid-web' },
    priority: 0,
    scheduled: { status: 'False', reason: 'Unschedulable', sinceMs: now - minute },
    requests: cpuAndMemory(1000),
    ...over,
  });

export const pods = (count: number, name: string, over: Partial<PodView> = {}): PodView[] =>
  Array.from({ length: count }, (_, index) => pod(`${name}-${index + 1}`, over));

export const boundPod = (name: string, nodeName: string, over: Partial<PodView> = {}): PodView =>
  pod(name, {
    nodeName,
    phase: 'Running',
    scheduled: { status: 'True' },
    ...over,
  });

export const daemonSet = (name: string, over: Partial<DaemonSetView> = {}): DaemonSetView => ({
  namespace: 'kube-system',
  name,
  uid: `uid-${name}`,
  labels: {},
  ...buildConstraints({ requests: cpuAndMemory(100, 128 * MiB) }),
  ...over,
});

export const instance = (id: string, over: Partial<GroupInstance> = {}): GroupInstance => ({
  id,
  zone: 'us-east-1a',
  type: 'm5.large',
  lifecycleState: 'InService',
  healthy: true,
  protectedFromScaleIn: false,
  ...over,
});

export const group = (name: string, over: Partial<AutoScalingGroup> = {}): AutoScalingGroup => ({
  name,
  min: 0,
  max: 10,
  desired: 0,
  zones: ['us-east-1a'],
  tags: {},
  launchTemplate: { id: 'lt-m5', version: '$Latest' },
  overrides: [],
  instances: [],
  suspendedProcesses: [],
  newInstancesProtected: false,
  ...over,
});

export const noCapacity =
  'Could not launch On-Demand Instances. InsufficientInstanceCapacity - We currently do not have sufficient m5.large capacity in the Availability Zone you requested (us-east-1a). Launching EC2 instance failed.';

/** A launch of the group that AWS failed so many minutes ago. */
export const failedLaunch = (
  group: string,
  minutesAgo: number,
  over: Partial<ScalingActivity> = {},
): ScalingActivity => ({
  id: `failed-${group}-${minutesAgo}`,
  group,
  startMs: now - minutesAgo * minute,
  status: 'failed',
  message: noCapacity,
  ...over,
});

/** A back-off that began a minute ago, for five. */
export const backOff = (over: Partial<BackOff> = {}): BackOff => ({
  failures: 1,
  atMs: now - minute,
  untilMs: now + 4 * minute,
  code: 'InsufficientInstanceCapacity',
  message: 'no m5.large in us-east-1a',
  ...over,
});

export const ledgerEntry = (group: string, over: Partial<LedgerEntry> = {}): LedgerEntry => ({
  group,
  generation: 1,
  instances: {},
  ...over,
});

export const override = (instanceType: string) => ({ instanceType, byAttributes: false });

export const launchTemplate = (
  id: string,
  over: Partial<LaunchTemplateVersion> = {},
): LaunchTemplateVersion => ({
  id,
  name: `${id}-name`,
  version: 1,
  isDefault: true,
  instanceType: 'm5.large',
  byAttributes: false,
  rootVolumeGiB: 20,
  ...over,
});

export const instanceType = (name: string, over: Partial<InstanceType> = {}): InstanceType => ({
  name,
  vcpu: 2,
  memoryMiB: 8192,
  architecture: 'amd64',
  maxNetworkInterfaces: 3,
  ipv4PerInterface: 10,
  devices: {},
  bareMetal: false,
  ...over,
});

export const m5large = instanceType('m5.large');
export const m5xlarge = instanceType('m5.xlarge', {
  vcpu: 4,
  memoryMiB: 16384,
  maxNetworkInterfaces: 4,
  ipv4PerInterface: 15,
});
export const g4dn = instanceType('g4dn.xlarge', {
  vcpu: 4,
  memoryMiB: 16384,
  devices: { 'nvidia.com/gpu': 1 },
});

export const launchTemplates: readonly LaunchTemplateVersion[] = [
  launchTemplate('lt-m5'),
  launchTemplate('lt-m5x', { instanceType: 'm5.xlarge' }),
  launchTemplate('lt-g4', { instanceType: 'g4dn.xlarge', rootVolumeGiB: 100 }),
];

export interface InputParts {
  readonly nodes?: readonly NodeView[];
  readonly pods?: readonly PodView[];
  readonly daemonSets?: readonly DaemonSetView[];
  readonly leases?: ScaleUpInput['snapshot']['leases'];
  readonly configMaps?: ScaleUpInput['snapshot']['configMaps'];
  readonly groups?: readonly AutoScalingGroup[];
  readonly launchTemplates?: readonly LaunchTemplateVersion[];
  readonly instanceTypes?: readonly InstanceType[];
  readonly launches?: readonly ScalingActivity[];
  readonly foreign?: readonly ForeignInstance[];
  readonly ledger?: ScaleUpInput['ledger'];
  readonly policy?: Partial<ScalingPolicy>;
}

export const scaleUpInput = (parts: InputParts = {}): ScaleUpInput => ({
  cluster: 'demo',
  snapshot: {
    nodes: parts.nodes ?? [],
    pods: parts.pods ?? [],
    daemonSets: parts.daemonSets ?? [],
    leases: parts.leases ?? [],
    ...(parts.configMaps === undefined ? {} : { configMaps: parts.configMaps }),
  },
  nodeGroups: {
    region: 'us-east-1',
    groups: parts.groups ?? [group('workers-a')],
    launchTemplates: parts.launchTemplates ?? launchTemplates,
    instanceTypes: parts.instanceTypes ?? [m5large, m5xlarge, g4dn],
    ...(parts.launches === undefined ? {} : { launches: parts.launches }),
    ...(parts.foreign === undefined ? {} : { foreign: parts.foreign }),
  },
  ledger: parts.ledger ?? [],
  policy: { ...defaultScalingPolicy, ...parts.policy },
  nowMs: now,
});
