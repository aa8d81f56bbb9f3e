import { setOwn } from '#cluster/own-record.ts';
import { amountIn, heldAmount, type Resources } from '#cluster/resources.ts';
import type { PodView } from '#cluster/snapshot.ts';
import type { Trials } from '#scheduling/trials.ts';
import type { GroupState } from '../group-state.ts';
import { type OpenNodes, openNodes, placeClass, type Spot, takeAway } from './place-pods.ts';
import type { PlannedWorld } from './planned-world.ts';
import type { Demand } from './pod-class.ts';

/** What one group could do for the pods that have no place. */
export interface ExpansionOption {
  readonly group: string;
  readonly nodes: number;
  readonly pods: number;
  /** Sum of the helped pods' requests. */
  readonly requested: Resources;
  /** Capacity of one new node. */
  readonly capacity: Resources;
}

export interface OptionBounds {
  readonly world: PlannedWorld;
  /** The most nodes that may be added. */
  readonly limit: number;
  readonly trials: Trials;
}

/**
 * Packs the homeless pods, in their order, on at most `limit` new nodes of the group, and leaves the world as it
 * was; `undefined` where it helps none. Where its trials are used up, it is an option for the pods looked at so
 * far.
 */
export const expansionOption = (
  state: GroupState,
  demands: readonly Demand[],
  { world, limit, trials }: OptionBounds,
): ExpansionOption | undefined => {
  const nodes: number[] = [];
  const spots: Spot[] = [];
  const open = openNodes(demands, { state: world.state, nodes });
  const requested: Record<string, number> = {};
  let lastWithPods = 0;
  let helped = 0;
  for (const { podClass, pods } of demands) {
    if (trials.left <= 0) break;
    let left = placeClass({ podClass, pods }, open, { spots, trials });
    while (left.length > 0 && nodes.length < limit && trials.left > 0) {
      const before = left;
      left = addNodeFor(
        { podClass, pods: left },
        { nodes, open, spots, state, world, limit, trials },
      );
      if (left.length === before.length) break;
      lastWithPods = nodes.length;
    }
    const count = pods.length - left.length;
    if (count === 0) continue;
    helped += count;
    for (const [name, amount] of Object.entries(podClass.sample.requests)) {
      setOwn(requested, name, heldAmount(amountIn(requested, name) + amount * count));
    }
  }
  takeAway(spots, world.state);
  for (const _node of nodes) world.removeNewest();
  return helped === 0
    ? undefined
    : {
        group: state.group.name,
        nodes: lastWithPods,
        pods: helped,
        requested,
        capacity: state.capacity,
      };
};

interface Adding extends OptionBounds {
  readonly state: GroupState;
  readonly nodes: number[];
  readonly open: OpenNodes;
  readonly spots: Spot[];
}

/**
 * Adds the one node that takes pods of the class and gives the pods left then. A group's nodes come in several
 * zones by turns: where the next one does not take the pod, the one after it may. None is added in vain.
 */
const addNodeFor = (demand: Demand, adding: Adding): readonly PodView[] => {
  const { nodes, open, spots, state, world, limit, trials } = adding;
  const turns = demand.podClass.mayChange ? state.group.zones.length : 1;
  let added = 0;
  for (; added < turns && nodes.length < limit; ) {
    const { node } = world.add(state);
    nodes.push(node);
    open.add(node);
    added += 1;
    const left = placeClass(demand, open, { spots, trials, only: node });
    if (left.length < demand.pods.length) {
      // With more domains the nodes before it may take more too.
      return demand.podClass.mayChange && left.length > 0
        ? placeClass({ ...demand, pods: left }, open, { spots, trials })
        : left;
    }
  }
  for (; added > 0; added -= 1) {
    world.removeNewest();
    open.remove(nodes.pop() ?? -1);
  }
  return demand.pods;
};
