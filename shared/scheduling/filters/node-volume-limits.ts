import { counted } from '#cluster/counted.ts';
import { type AttachedVolume, attachedVolumes } from '../storage/attached-volumes.ts';
import type { FitReason } from './filter.ts';
import type { FilterPlugin } from './plugin.ts';

/**
 * NodeVolumeLimits: a node takes of each CSI driver as many volumes as its CSINode says, each counted
 * once; one that is there already costs nothing.
 */
export const nodeVolumeLimits: FilterPlugin = {
  name: 'NodeVolumeLimits',
  ask: (pod, { storage }) => {
    const { index, use } = storage;
    if (pod.volumes === undefined || pod.volumes.length === 0) return undefined;
    use.prepare();
    const withCsiNode = attachedVolumes(pod, index, true);
    const without = attachedVolumes(pod, index, false);
    if (withCsiNode.length === 0) return undefined;

    const missingDriver = (node: number): string | undefined => {
      const drivers = use.driversOf(node);
      const volumes = drivers === undefined ? without : withCsiNode;
      return volumes.find(
        ({ driver }) =>
          index.driver(driver)?.neededOnNode &&
          !drivers?.drivers.some(({ name }) => name === driver),
      )?.driver;
    };
    const isNew =
      (node: number) =>
      ({ driver, handle }: AttachedVolume): boolean =>
        !use.isAttached(node, driver, handle);
    const beyond = (node: number): readonly FitReason[] => {
      const fresh = withCsiNode.filter(isNew(node));
      return (use.driversOf(node)?.drivers ?? []).flatMap(({ name, limit }) => {
        const more = fresh.filter(({ driver }) => driver === name).length;
        const there = use.attachedCount(node, name);
        if (limit === undefined || more === 0 || there + more <= limit) return [];
        return [
          {
            code: 'volumeLimit',
            message: `${counted(more, 'more volume')} of ${name} would be too many: ${there} there, ${limit} allowed`,
            schedulerReason: 'node(s) exceed max volume count',
          },
        ];
      });
    };
    const explain = (node: number): readonly FitReason[] => {
      const driver = missingDriver(node);
      if (driver === undefined) return beyond(node);
      return [
        {
          code: 'volumeLimit',
          message: `the node has no CSI driver ${driver}`,
          schedulerReason: `${driver} CSI driver is not installed on the node`,
        },
      ];
    };
    return { passes: (node) => explain(node).length === 0, explain };
  },
};
