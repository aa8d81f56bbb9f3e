import { createWorld, type World } from '#world/world.ts';
import { demands } from '../helpers/simulated-cluster.ts';
import { exactly, worldGroup, worldSpec, worldWorkload } from '../helpers/world-spec.ts';
import { filteredViews } from './cluster-api-contract.ts';

const spec = worldSpec({
  cluster: 'contract',
  groups: [
    worldGroup({
      name: 'workers',
      min: 1,
      max: 5,
      desired: 1,
      launch: exactly(1),
      boot: exactly(1),
      ready: exactly(1),
    }),
  ],
  foreignNodes: [
    {
      instance: 'i-0fedcba9876543210',
      instanceType: 'm5.large',
      zone: 'us-east-1a',
      group: 'workers-of-other',
      cluster: 'other',
    },
  ],
  objects: filteredViews(),
  workloads: [worldWorkload({ namespace: 'default', name: 'giant', constraints: demands(64_000) })],
});

/** One group of one node, and one pod that fits nowhere. */
export function memoryWorld(): World {
  const world = createWorld(spec);
  world.advanceTo(spec.startMs + 10_000);
  return world;
}
