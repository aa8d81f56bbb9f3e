import type { AutoScalingGroup, InstanceType, NodeGroupsView } from '#scaling/aws-views.ts';
import { createRandom } from '#world/random.ts';

/*
 * A cluster as the API server lists it, made from nothing but its size: the same size is the same cluster
 * on every machine. Objects are as long as real ones (status, managed fields), since reading them counts.
 */

export interface RawClusterSize {
  readonly nodes: number;
  /** On each node, three of them of DaemonSets. */
  readonly runningPerNode: number;
  readonly pending: number;
  /** Pending pods of one kind demand the same; any two kinds differ. */
  readonly kinds: number;
  readonly groups: number;
}

/** The moment at which the cluster is looked at. */
export const lookedAtMs = Date.UTC(2026, 0, 1);

const seed = 1;
const startedAt = '2025-12-31T00:00:00Z';
const zones = ['us-east-1a', 'us-east-1b', 'us-east-1c'] as const;
const daemonSetNames = ['aws-node', 'kube-proxy', 'node-exporter'] as const;

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
  type('m5.2xlarge', 8, 32),
  type('c5.2xlarge', 8, 16),
  type('r5.2xlarge', 8, 64),
  type('m5.4xlarge', 16, 64),
] as const;

const at = <Value>(values: readonly Value[], index: number): Value => {
  const value = values[index % values.length];
  if (value === undefined) throw new Error('nothing to choose from');
  return value;
};

/** Types in turn; zones in turn after each round of types. */
const typeOf = (group: number): InstanceType => at(instanceTypes, group);
const zoneOf = (group: number): string => at(zones, Math.floor(group / instanceTypes.length));

const nodeName = (node: number): string =>
  `ip-10-${node >> 16}-${(node >> 8) & 255}-${node & 255}.ec2.internal`;
const instanceId = (node: number): string => `i-${node.toString(16).padStart(17, '0')}`;
const uid = (kind: number, index: number): string =>
  `${kind.toString(16).padStart(8, '0')}-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;

const allocatableOf = ({ vcpu, memoryMiB }: InstanceType) => ({
  milliCpu: vcpu * 1000 - 90,
  memoryKi: (memoryMiB - 1200) * 1024,
});

const condition = (name: string, status: string, over: Readonly<Record<string, string>> = {}) => ({
  type: name,
  status,
  lastProbeTime: null,
  lastTransitionTime: startedAt,
  ...over,
});

const managedBy = (manager: string, fields: Readonly<Record<string, unknown>>) => ({
  manager,
  operation: 'Update',
  apiVersion: 'v1',
  time: startedAt,
  fieldsType: 'FieldsV1',
  fieldsV1: fields,
});

const leaves = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, {}]));

/** The Nodes, each of a group in turn. */
export function* rawNodes({ nodes, groups }: RawClusterSize): Generator<unknown> {
  for (let node = 0; node < nodes; node += 1) {
    const { name: typeName, vcpu, memoryMiB } = typeOf(node % groups);
    const zone = zoneOf(node % groups);
    const { milliCpu, memoryKi } = allocatableOf(typeOf(node % groups));
    const shared = { 'ephemeral-storage': '18242267924', 'hugepages-2Mi': '0', pods: '58' };
    yield {
      metadata: {
        name: nodeName(node),
        uid: uid(1, node),
        resourceVersion: String(1_000_000 + node),
        creationTimestamp: startedAt,
        labels: {
          'kubernetes.io/arch': 'amd64',
          'kubernetes.io/os': 'linux',
          'kubernetes.io/hostname': nodeName(node),
          'node.kubernetes.io/instance-type': typeName,
          'topology.kubernetes.io/region': 'us-east-1',
          'topology.kubernetes.io/zone': zone,
        },
        annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' },
        managedFields: [
          managedBy('kubelet', {
            'f:metadata': { 'f:labels': leaves('.', 'f:kubernetes.io/arch', 'f:kubernetes.io/os') },
            'f:status': leaves('f:allocatable', 'f:capacity', 'f:conditions', 'f:images'),
          }),
        ],
      },
      spec: { providerID: `aws:///${zone}/${instanceId(node)}` },
      status: {
        capacity: { cpu: String(vcpu), memory: `${memoryMiB * 1024}Ki`, ...shared },
        allocatable: { cpu: `${milliCpu}m`, memory: `${memoryKi}Ki`, ...shared },
        conditions: [
          condition('MemoryPressure', 'False', { reason: 'KubeletHasSufficientMemory' }),
          condition('DiskPressure', 'False', { reason: 'KubeletHasNoDiskPressure' }),
          condition('PIDPressure', 'False', { reason: 'KubeletHasSufficientPID' }),
          condition('Ready', 'True', { reason: 'KubeletReady' }),
        ],
        addresses: [
          { type: 'InternalIP', address: `10.${node >> 16}.${(node >> 8) & 255}.${node & 255}` },
          { type: 'InternalDNS', address: nodeName(node) },
        ],
        nodeInfo: { kubeletVersion: 'v1.34.2', operatingSystem: 'linux', architecture: 'amd64' },
        images: Array.from({ length: 20 }, (_, image) => ({
          names: [`registry.example/team/app-${image}@sha256:${'0'.repeat(64)}`],
          sizeBytes: 100_000_000 + image,
        })),
      },
    };
  }
}

interface RawPod {
  readonly name: string;
  readonly uid: string;
  readonly owner: { readonly kind: string; readonly name: string };
  readonly requests: Readonly<Record<string, string>>;
  /** Absent: the scheduler found no place. */
  readonly nodeName?: string;
  readonly nodeSelector?: Readonly<Record<string, string>>;
}

const rawPod = ({ name, uid: podUid, owner, requests, nodeName: on, nodeSelector }: RawPod) => ({
  metadata: {
    name,
    namespace: 'default',
    uid: podUid,
    resourceVersion: '2000000',
    creationTimestamp: startedAt,
    generateName: `${owner.name}-`,
    labels: { app: owner.name, 'pod-template-hash': '5d59d67564' },
    annotations: { 'prometheus.io/scrape': 'true', 'prometheus.io/port': '8080' },
    ownerReferences: [
      {
        apiVersion: 'apps/v1',
        ...owner,
        uid: owner.name,
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
    managedFields: [
      managedBy('kube-controller-manager', {
        'f:metadata': { 'f:labels': leaves('.', 'f:app', 'f:pod-template-hash') },
        'f:spec': {
          'f:containers': {
            'k:{"name":"app"}': leaves('.', 'f:image', 'f:name', 'f:ports', 'f:resources', 'f:env'),
          },
          ...leaves('f:dnsPolicy', 'f:restartPolicy', 'f:schedulerName', 'f:securityContext'),
        },
      }),
      managedBy('kubelet', {
        'f:status': leaves('f:conditions', 'f:containerStatuses', 'f:hostIP', 'f:phase', 'f:podIP'),
      }),
    ],
  },
  spec: {
    ...(on === undefined ? {} : { nodeName: on }),
    ...(nodeSelector === undefined ? {} : { nodeSelector }),
    priority: 0,
    schedulerName: 'default-scheduler',
    serviceAccountName: 'default',
    restartPolicy: 'Always',
    dnsPolicy: 'ClusterFirst',
    terminationGracePeriodSeconds: 30,
    tolerations: ['not-ready', 'unreachable'].map((key) => ({
      key: `node.kubernetes.io/${key}`,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: 300,
    })),
    volumes: [{ name: 'token', projected: { defaultMode: 420, sources: [] } }],
    containers: [
      {
        name: 'app',
        image: `registry.example/team/${owner.name}:1.2.3`,
        ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
        env: ['LOG_LEVEL', 'REGION', 'STAGE'].map((env) => ({ name: env, value: 'some value' })),
        resources: { requests, limits: { memory: requests.memory } },
        volumeMounts: [{ name: 'token', mountPath: '/var/run/secrets', readOnly: true }],
      },
    ],
  },
  status:
    on === undefined
      ? {
          phase: 'Pending',
          conditions: [condition('PodScheduled', 'False', { reason: 'Unschedulable' })],
        }
      : {
          phase: 'Running',
          conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((each) =>
            condition(each, 'True'),
          ),
          startTime: startedAt,
          containerStatuses: [
            {
              name: 'app',
              ready: true,
              restartCount: 0,
              imageID: `registry.example/team/${owner.name}@sha256:${'0'.repeat(64)}`,
              state: { running: { startedAt } },
            },
          ],
        },
});

const daemonRequests = { cpu: '50m', memory: '64Mi' };

/** What every running pod demands leaves about a tenth of its node's CPU free. */
function* runningPods({ nodes, runningPerNode, groups }: RawClusterSize): Generator<unknown> {
  const random = createRandom(seed, 'running');
  const apps = Math.max(1, runningPerNode - daemonSetNames.length);
  for (let node = 0; node < nodes; node += 1) {
    const { milliCpu, memoryKi } = allocatableOf(typeOf(node % groups));
    for (let pod = 0; pod < runningPerNode; pod += 1) {
      const daemonSet = daemonSetNames[pod];
      const index = node * runningPerNode + pod;
      const owner =
        daemonSet === undefined
          ? { kind: 'ReplicaSet', name: `app-${index % 500}` }
          : { kind: 'DaemonSet', name: daemonSet };
      const share = random.between(75, 95) / 100 / apps;
      yield rawPod({
        name: `${owner.name}-${index}`,
        uid: uid(2, index),
        owner,
        nodeName: nodeName(node),
        requests:
          daemonSet === undefined
            ? {
                cpu: `${Math.floor((milliCpu - 150) * share)}m`,
                memory: `${Math.floor((memoryKi - 196_608) * share)}Ki`,
              }
            : daemonRequests,
      });
    }
  }
}

/** From a tenth of a CPU to three, a fifth of the kinds bound to a zone. */
function* pendingPods({ pending, kinds }: RawClusterSize): Generator<unknown> {
  for (let pod = 0; pod < pending; pod += 1) {
    const kind = pod % kinds;
    const random = createRandom(seed, `kind-${kind}`);
    const owner = { kind: 'ReplicaSet', name: `new-${kind}` };
    yield rawPod({
      name: `${owner.name}-${pod}`,
      uid: uid(3, pod),
      owner,
      requests: {
        cpu: `${random.between(10, 300) * 10}m`,
        // The kind's own number of Ki makes it differ from all others.
        memory: `${random.between(64, 4096) * 1024 + kind}Ki`,
      },
      ...(kind % 5 === 4
        ? { nodeSelector: { 'topology.kubernetes.io/zone': at(zones, Math.floor(kind / 5)) } }
        : {}),
    });
  }
}

export function* rawPods(size: RawClusterSize): Generator<unknown> {
  yield* runningPods(size);
  yield* pendingPods(size);
}

export function* rawDaemonSets(): Generator<unknown> {
  for (const [index, name] of daemonSetNames.entries()) {
    yield {
      metadata: { name, namespace: 'default', uid: uid(4, index) },
      spec: {
        template: {
          spec: {
            tolerations: [{ operator: 'Exists' }],
            containers: [{ name: 'app', resources: { requests: daemonRequests } }],
          },
        },
      },
    };
  }
}

/** One zone and one type per group, its nodes in service, room for a thousand more. */
export const nodeGroupsOf = ({ nodes, groups }: RawClusterSize): NodeGroupsView => ({
  region: 'us-east-1',
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
  groups: Array.from({ length: groups }, (_, group): AutoScalingGroup => {
    const { name } = typeOf(group);
    const zone = zoneOf(group);
    const own = Array.from({ length: nodes }, (_, node) => node).filter(
      (node) => node % groups === group,
    );
    return {
      name: `workers-${group}`,
      min: 0,
      max: own.length + 1000,
      desired: own.length,
      zones: [zone],
      tags: {},
      launchTemplate: { id: `lt-${name}`, version: '$Latest' },
      overrides: [],
      instances: own.map((node) => ({
        id: instanceId(node),
        zone,
        type: name,
        lifecycleState: 'InService',
        healthy: true,
        protectedFromScaleIn: false,
      })),
      suspendedProcesses: [],
      newInstancesProtected: false,
    };
  }),
});
