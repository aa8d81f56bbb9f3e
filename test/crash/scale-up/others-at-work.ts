import type { ScaleUpPorts } from '#operations/scale-up.ts';
import type { Scene } from './scene.ts';

interface Ours {
  readonly cluster: string;
  readonly ports: ScaleUpPorts;
}

/** The ports, while others do what the scene has them do between a look's reading and its acting. */
export const withOthersAtWork = (
  { lease, protectionLost }: Pick<Scene, 'lease' | 'protectionLost'>,
  ours: Ours,
): ScaleUpPorts => {
  if (lease === 'markedMeanwhile') return markedMeanwhile(ours);
  return protectionLost === undefined ? ours.ports : unprotected(ours, protectionLost);
};

/** Somebody comes once, while the first look reads. */
const markedMeanwhile = ({ cluster, ports }: Ours): ScaleUpPorts => {
  let came = false;
  return {
    ...ports,
    clusterApi: {
      ...ports.clusterApi,
      snapshot: async () => {
        if (!came) {
          came = true;
          await ports.leases.mark(cluster, ports.clock.nowMs());
        }
        return ports.clusterApi.snapshot();
      },
    },
  };
};

/** The first description of the groups is the last one that shows new instances of `group` protected. */
const unprotected = ({ ports }: Ours, group: string): ScaleUpPorts => {
  const { nodeGroups } = ports;
  const lost = { newInstancesProtected: false };
  let isLost = false;
  return {
    ...ports,
    nodeGroups: {
      ...nodeGroups,
      discover: async () => {
        const found = await nodeGroups.discover();
        const groups = found.view.groups.map((each) =>
          isLost && each.name === group ? { ...each, ...lost } : each,
        );
        isLost = true;
        return { ...found, view: { ...found.view, groups } };
      },
      capacity: async (name) => {
        const capacity = await nodeGroups.capacity(name);
        return capacity === undefined || name !== group ? capacity : { ...capacity, ...lost };
      },
    },
  };
};
