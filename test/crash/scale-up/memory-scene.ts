import type { ScaleUpPorts } from '#operations/scale-up.ts';
import {
  demands,
  simulatedCluster,
  simulatedGroup,
  simulatedSpec,
  simulatedWorkload,
} from '../../helpers/simulated-cluster.ts';
import { exactly } from '../../helpers/world-spec.ts';
import type { Stage } from '../stage.ts';
import type { Scene } from './scene.ts';
import { setScene } from './set-scene.ts';

const foreignNode = {
  instance: 'i-0f0f0f0f0f0f0f0f0',
  instanceType: 'm5.large',
  zone: 'us-east-1a',
  group: 'others',
  cluster: 'other',
};

/**
 * A scene in a simulated world, with memory adapters. No node comes up while a case is played. `replaced`: ports to
 * use instead of those, such as broken ones that the harness has to find.
 */
export const memoryScene = async (
  scene: Scene,
  replaced: (ports: ScaleUpPorts) => ScaleUpPorts = (ports) => ports,
): Promise<Stage> => {
  const cluster = simulatedCluster(
    simulatedSpec({
      groups: scene.groups.map(({ name, instanceType, max, pool }) =>
        simulatedGroup({
          name,
          instanceTypes: [instanceType],
          max,
          desired: 0,
          labels: pool === undefined ? {} : { pool },
          launch: exactly(36_000),
        }),
      ),
      workloads: scene.workloads.map(({ name, replicas, milliCpu, pool }) =>
        simulatedWorkload({
          name,
          replicas,
          constraints: {
            ...demands(milliCpu),
            nodeSelector: pool === undefined ? {} : { pool },
          },
        }),
      ),
      ...(scene.foreignNode ? { foreignNodes: [foreignNode] } : {}),
    }),
  );
  const { world, ports } = cluster;
  for (const { name, desired = 0 } of scene.groups) world.setDesiredCapacity(name, desired);
  cluster.advanceSeconds(1);
  return setScene(scene, {
    cluster: 'demo',
    ports: replaced(ports),
    elapse: async (seconds) => void cluster.advanceSeconds(seconds),
    podWords: async () => world.podNotes(),
    plain: (text) => text,
    close: async () => {},
  });
};
