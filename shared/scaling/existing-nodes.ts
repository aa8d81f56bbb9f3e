import { compareText } from '#cluster/order.ts';
import type { NodeView } from '#cluster/snapshot.ts';
import { placePod, type SchedulingNode, schedulingNode } from '#scheduling/node.ts';
import type { GroupState } from './group-state.ts';
import type { Occupancy } from './occupancy.ts';

/**
 * Nodes that offer the room they have now, by name: Ready ones that do not count as on their way (as
 * such their group's template speaks for them). Taints and cordons are the filters' business.
 */
export const existingNodesOf = (
  nodes: readonly NodeView[],
  groups: readonly GroupState[],
  occupancy: Occupancy,
): readonly SchedulingNode[] => {
  const starting = new Set(
    groups.flatMap(({ coming, live }) =>
      coming.starting.map((instance) => live.get(instance.id)?.node.name),
    ),
  );
  return nodes
    .filter((node) => node.ready === 'True' && !starting.has(node.name))
    .sort((a, b) => compareText(a.name, b.name))
    .map((view) => {
      const node = schedulingNode(view);
      for (const pod of occupancy.get(view.name) ?? []) placePod(pod, node);
      return node;
    });
};
