import type { SchedulingConstraints } from '#cluster/constraints.ts';
import { defaultKubeletPolicy } from '#kubelet/policy.ts';
import type { WorldSpec } from '#world/spec.ts';
import { createWorld, type World } from '#world/world.ts';

const now = { fromMs: 0, toMs: 0 };
const soon = { fromMs: 1_000, toMs: 1_000 };

const asking = (cpu: number): SchedulingConstraints => ({
  requests: { cpu },
  nodeSelector: {},
  tolerations: [],
  hostPorts: [],
  notJudged: [],
});

const spec: WorldSpec = {
  seed: 1,
  startMs: 1_700_000_000_000,
  cluster: 'contract',
  region: 'us-east-1',
  groups: [
    {
      name: 'workers',
      min: 1,
      max: 5,
      desired: 1,
      zones: ['us-east-1a'],
      instanceTypes: ['m5.large'],
      labels: {},
      taints: [],
      tags: {},
      suspendedProcesses: [],
      rootVolumeGiB: 20,
      kubelet: defaultKubeletPolicy,
      launch: soon,
      boot: soon,
      ready: soon,
      neverRegister: { first: 0, perMille: 0 },
    },
  ],
  workloads: [
    {
      namespace: 'default',
      name: 'giant',
      kind: 'ReplicaSet',
      replicas: 1,
      atMs: 0,
      everyMs: 0,
      constraints: asking(64_000),
      priority: 0,
      start: now,
    },
  ],
  daemonSets: [],
  shortages: [],
  throttles: [],
  lag: { hintMs: 0, hintsLost: false, clusterStaleMs: 0, groupsStaleMs: 0 },
};

/** One group of one node, and one pod that fits nowhere. */
export function memoryWorld(): World {
  const world = createWorld(spec);
  world.advanceTo(spec.startMs + 10_000);
  return world;
}
