import { memoryCapacityLedger } from '#adapters/memory/memory-capacity-ledger.ts';
import { memoryClock } from '#adapters/memory/memory-clock.ts';
import { memoryClusterApi } from '#adapters/memory/memory-cluster-api.ts';
import { memoryClusterLeases } from '#adapters/memory/memory-cluster-leases.ts';
import { memoryJournal } from '#adapters/memory/memory-journal.ts';
import { memoryMetrics } from '#adapters/memory/memory-metrics.ts';
import { memoryNodeGroups } from '#adapters/memory/memory-node-groups.ts';
import type { SchedulingConstraints } from '#cluster/constraints.ts';
import { defaultKubeletPolicy } from '#kubelet/policy.ts';
import type { ScaleUpRequest } from '#operations/scale-up.ts';
import { defaultScalingPolicy, type Mode } from '#scaling/policy.ts';
import type { WorldGroup, WorldSpec, WorldWorkload } from '#world/spec.ts';
import { createWorld } from '#world/world.ts';

const second = 1000;
const gib = 1024 ** 3;

export const demands = (milliCpu: number, memoryGiB = 1): SchedulingConstraints => ({
  requests: { cpu: milliCpu, memory: memoryGiB * gib },
  nodeSelector: {},
  tolerations: [],
  hostPorts: [],
  notJudged: [],
});

export const simulatedGroup = (over: Partial<WorldGroup> & { name: string }): WorldGroup => ({
  min: 0,
  max: 10,
  desired: 1,
  zones: ['us-east-1a'],
  instanceTypes: ['m5.large'],
  labels: {},
  taints: [],
  tags: {},
  suspendedProcesses: [],
  rootVolumeGiB: 20,
  kubelet: defaultKubeletPolicy,
  launch: { fromMs: 5 * second, toMs: 5 * second },
  boot: { fromMs: 30 * second, toMs: 30 * second },
  ready: { fromMs: 10 * second, toMs: 10 * second },
  neverRegister: { first: 0, perMille: 0 },
  ...over,
});

export const simulatedWorkload = (
  over: Partial<WorldWorkload> & { name: string },
): WorldWorkload => ({
  namespace: 'default',
  kind: 'ReplicaSet',
  replicas: 1,
  atMs: 0,
  everyMs: 0,
  constraints: demands(1500),
  priority: 0,
  start: { fromMs: second, toMs: second },
  ...over,
});

export const simulatedSpec = (over: Partial<WorldSpec> = {}): WorldSpec => ({
  seed: 1,
  startMs: Date.UTC(2026, 0, 5, 12),
  cluster: 'demo',
  region: 'us-east-1',
  groups: [simulatedGroup({ name: 'workers-a' })],
  workloads: [simulatedWorkload({ name: 'web', replicas: 5 })],
  daemonSets: [],
  shortages: [],
  throttles: [],
  lag: { hintMs: 200, hintsLost: false, clusterStaleMs: 0, groupsStaleMs: 0 },
  ...over,
});

/** A simulated cluster with memory adapters for every port of `scaleUp`. */
export const simulatedCluster = (spec: WorldSpec = simulatedSpec()) => {
  const world = createWorld(spec);
  const leases = memoryClusterLeases();
  const ports = {
    clock: memoryClock(world),
    leases,
    clusterApi: memoryClusterApi(world),
    nodeGroups: memoryNodeGroups(world),
    ledger: memoryCapacityLedger(leases),
    journal: memoryJournal(leases),
    metrics: memoryMetrics(),
  };
  return {
    world,
    ports,
    advanceSeconds: (seconds: number) => world.advanceTo(world.nowMs() + seconds * second),
  };
};

/** A look at the cluster `demo`, as the function takes it. */
export const lookRequest = (owner: string, mode: Mode = 'act'): ScaleUpRequest => ({
  cluster: 'demo',
  policy: { ...defaultScalingPolicy, mode },
  trigger: 'sweep',
  owner,
  engineVersion: 'test',
});
