import type { ClusterPorts } from '#operations/doctor/cluster-checks.ts';
import type { DoctorPorts, DoctorRequest } from '#operations/doctor/doctor.ts';
import type { ApiAction, ApiServerCheck } from '#ports/api-server-check.ts';
import type { DeploymentHealth } from '#ports/deployment-health.ts';
import type { Deployment } from '#ports/deployments.ts';
import type { AutoScalingGroup, NodeGroupsView } from '#scaling/aws-views.ts';
import { defaultDiscoveryTags } from '#scaling/discovery.ts';
import { defaultScalingPolicy } from '#scaling/policy.ts';
import { group, launchTemplate, m5large, now } from './scaling-builders.ts';

const day = 86_400_000;

export const healthyGroup = (over: Partial<AutoScalingGroup> = {}): AutoScalingGroup =>
  group('workers-a', {
    zones: ['us-east-1a'],
    newInstancesProtected: true,
    tags: { ...defaultDiscoveryTags('demo') },
    launchTemplate: { id: 'lt-a', version: '1' },
    ...over,
  });

export const healthyView = (
  groups: readonly AutoScalingGroup[] = [healthyGroup()],
): NodeGroupsView => ({
  region: 'us-east-1',
  groups,
  launchTemplates: [launchTemplate('lt-a', { instanceType: 'm5.large', version: 1 })],
  instanceTypes: [m5large],
});

export const healthyDeployment: Deployment = {
  stack: 'Outrider',
  status: 'UPDATE_COMPLETE',
  region: 'us-east-1',
  table: 'table',
  decisionsBucket: 'decisions',
  eventBus: 'outrider',
  configuration: { bucket: 'assets', key: 'x.json' },
  pagesTopicArn: 'arn:aws:sns:us-east-1:123456789012:pages',
  forwarding: { queueUrl: 'https://sqs/forward', deadLetterQueueUrl: 'https://sqs/forward-dead' },
  networks: [
    {
      key: 'main',
      queueUrl: 'https://sqs/main',
      deadLetterQueueUrl: 'https://sqs/main-dead',
      functionName: 'scale-up',
    },
  ],
};

export const healthyHealth: DeploymentHealth = {
  clockAheadMs: async () => 0,
  functionState: async () => ({ state: 'Active' }),
  ringing: async () => [],
  queueDepth: async () => ({ visible: 0, inFlight: 0, delayed: 0 }),
  metric: async ({ name, statistic }) => {
    if (name === 'Errors' || (name === 'LooksFailed' && statistic === 'Sum')) return 0;
    return name === 'ApproximateAgeOfOldestMessage' ? 3 : 60;
  },
  subscribers: async () => 1,
  vcpuQuota: async () => 1000,
};

const granted = [
  'list /nodes',
  'list /pods',
  'list apps/daemonsets',
  'watch /nodes',
  'watch /pods',
  'watch /persistentvolumeclaims',
  'watch /persistentvolumes',
  'watch storage.k8s.io/csinodes',
  'list /namespaces',
  'list /persistentvolumeclaims',
  'list /persistentvolumes',
  'list storage.k8s.io/storageclasses',
  'list storage.k8s.io/csinodes',
  'list storage.k8s.io/csidrivers',
  'list storage.k8s.io/csistoragecapacities',
  'list policy/poddisruptionbudgets',
  'list coordination.k8s.io/leases',
  'create events.k8s.io/events',
];

export const actionName = ({ verb, group: apiGroup, resource }: ApiAction): string =>
  `${verb} ${apiGroup}/${resource}`;

export const healthyApiServer: ApiServerCheck = {
  access: async () => ({
    server: 'https://10.0.0.1:6443',
    identity: 'token',
    expiresAtMs: now + 90 * day,
    authorityExpiresAtMs: now + 3650 * day,
  }),
  probe: async () => ({
    version: 'v1.34.1',
    clockAheadMs: 0,
    certificateExpiresAtMs: now + 365 * day,
  }),
  may: async (action) => granted.includes(actionName(action)),
};

type OwnPorts = Omit<ClusterPorts, 'clock' | 'health'>;

export const healthyCluster: OwnPorts = {
  apiServer: healthyApiServer,
  clusterApi: {
    snapshot: async () => ({
      snapshot: { nodes: [], pods: [], daemonSets: [], leases: [] },
      problems: [],
    }),
  },
  nodeGroups: {
    discover: async () => ({ view: healthyView(), problems: [] }),
    launches: async () => [],
  },
  partlyTagged: async () => [],
  leases: { read: async () => ({ fence: 1, marks: 0 }) },
  ledger: { read: async () => [] },
};

/** Everything of a deployment with one cluster, all of it well. */
export const healthyPorts = (
  over: {
    readonly health?: Partial<DeploymentHealth>;
    readonly cluster?: Partial<OwnPorts>;
    readonly deadLetters?: number;
  } = {},
): DoctorPorts => ({
  clock: { nowMs: () => now },
  health: { ...healthyHealth, ...over.health },
  deadLetters: [
    {
      network: 'main',
      queue: { count: async () => ({ total: over.deadLetters ?? 0, inFlight: 0 }) },
    },
  ],
  cluster: () => ({ ...healthyCluster, ...over.cluster, done: () => undefined }),
});

export const healthyRequest: DoctorRequest = {
  deployment: healthyDeployment,
  configuration: {},
  clusters: [
    {
      name: 'demo',
      apiSecret: 'outrider/demo',
      discoveryTags: defaultDiscoveryTags('demo'),
      relay: true,
      policy: { ...defaultScalingPolicy, mode: 'act' },
    },
  ],
};
