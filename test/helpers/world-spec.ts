import type { SchedulingConstraints } from '#cluster/constraints.ts';
import { defaultKubeletPolicy } from '#kubelet/policy.ts';
import type { WorldDaemonSet, WorldGroup, WorldSpec, WorldWorkload } from '#world/spec.ts';
import { buildConstraints } from './cluster-builders.ts';

export const startMs = 1_767_603_600_000;

export const exactly = (seconds: number) => ({ fromMs: seconds * 1000, toMs: seconds * 1000 });

export const constraints = (over: Partial<SchedulingConstraints> = {}): SchedulingConstraints =>
  buildConstraints({ requests: { cpu: 500, memory: 512 * 1024 * 1024 }, ...over });

const none = { first: 0, perMille: 0 };

/** A group at zero whose instances take exactly 2 s to launch, 40 s to boot, 8 s to be Ready. */
export const worldGroup = (over: Partial<WorldGroup> = {}): WorldGroup => ({
  name: 'general',
  min: 0,
  max: 10,
  desired: 0,
  zones: ['us-east-1a'],
  instanceTypes: ['m5.large'],
  labels: {},
  taints: [],
  tags: {},
  suspendedProcesses: [],
  rootVolumeGiB: 20,
  kubelet: defaultKubeletPolicy,
  launch: exactly(2),
  boot: exactly(40),
  ready: exactly(8),
  devices: exactly(0),
  newInstancesProtected: true,
  runningProtected: true,
  neverRegister: none,
  neverReady: none,
  neverDevices: none,
  crashes: none,
  ...over,
});

export const worldWorkload = (over: Partial<WorldWorkload> = {}): WorldWorkload => ({
  namespace: 'shop',
  name: 'web',
  kind: 'ReplicaSet',
  replicas: 1,
  atMs: 0,
  everyMs: 0,
  constraints: constraints(),
  priority: 0,
  start: exactly(1),
  ...over,
});

export const worldDaemonSet = (over: Partial<WorldDaemonSet> = {}): WorldDaemonSet => ({
  namespace: 'kube-system',
  name: 'agent',
  constraints: constraints({ requests: { cpu: 100 } }),
  ...over,
});

export const worldSpec = (over: Partial<WorldSpec> = {}): WorldSpec => ({
  seed: 1,
  startMs,
  cluster: 'demo',
  region: 'us-east-1',
  groups: [worldGroup()],
  workloads: [],
  daemonSets: [],
  shortages: [],
  throttles: [],
  lag: { hintMs: 0, hintsLost: false, clusterStaleMs: 0, groupsStaleMs: 0 },
  ...over,
});
