import type { SchedulingConstraints } from '#cluster/constraints.ts';
import type { ScaleUpRequest } from '#operations/scale-up.ts';
import { defaultScalingPolicy, type Mode } from '#scaling/policy.ts';
import { simulatedPorts } from '#wiring/simulation.ts';
import type { WorldGroup, WorldSpec, WorldWorkload } from '#world/spec.ts';
import { createWorld } from '#world/world.ts';
import { buildConstraints } from './cluster-builders.ts';
import { exactly, worldGroup, worldSpec, worldWorkload } from './world-spec.ts';

const gib = 1024 ** 3;

export const demands = (milliCpu: number, memoryGiB = 1): SchedulingConstraints =>
  buildConstraints({ requests: { cpu: milliCpu, memory: memoryGiB * gib } });

/** A group with one node. */
export const simulatedGroup = (over: Partial<WorldGroup> & { name: string }): WorldGroup =>
  worldGroup({
    desired: 1,
    launch: exactly(5),
    boot: exactly(30),
    ready: exactly(10),
    ...over,
  });

export const simulatedWorkload = (over: Partial<WorldWorkload> & { name: string }): WorldWorkload =>
  worldWorkload({ namespace: 'default', constraints: demands(1500), ...over });

/** Five pods, of which one finds room. */
export const simulatedSpec = (over: Partial<WorldSpec> = {}): WorldSpec =>
  worldSpec({
    startMs: Date.UTC(2026, 0, 5, 12),
    groups: [simulatedGroup({ name: 'workers-a' })],
    workloads: [simulatedWorkload({ name: 'web', replicas: 5 })],
    lag: { hintMs: 200, hintsLost: false, clusterStaleMs: 0, groupsStaleMs: 0 },
    ...over,
  });

/** A simulated cluster with memory adapters for every port of `scaleUp`. */
export const simulatedCluster = (spec: WorldSpec = simulatedSpec()) => {
  const world = createWorld(spec);
  return {
    world,
    ports: simulatedPorts(world),
    advanceSeconds: (seconds: number) => world.advanceTo(world.nowMs() + seconds * 1000),
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
