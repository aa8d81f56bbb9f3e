import { setOwn } from '#cluster/own-record.ts';
import { amountIn, heldAmount, type Resources } from '#cluster/resources.ts';
import type { Trials } from '#scheduling/trials.ts';
import type { GroupState } from '../group-state.ts';
import { type OpenNodes, openNodes, placeFrom, type Spot, takeAway } from './place-pods.ts';
import type { PlannedWorld } from './planned-world.ts';
import type { Demand, PodClass } from './pod-class.ts';

/** What one group could do for the pods that have no place. */
export interface ExpansionOption {
  readonly group: string;
  readonly nodes: number;
  readonly pods: number;
  /** Classes of which some are helped, in the order of planning. */
  readonly classes: readonly PodClass[];
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
  const classes: PodClass[] = [];
  let lastWithPods = 0;
  let helped = 0;
  for (const demand of demands) {
    if (trials.left <= 0) break;
    const { podClass, pods } = demand;
    let count = placeFrom(0, demand, { open, spots, trials });
    while (count < pods.length && nodes.length < limit && trials.left > 0) {
      const before = count;
      count = addNodeFor(before, demand, { nodes, open, spots, state, world, limit, trials });
      if (count === before) break;
      lastWithPods = nodes.length;
    }
    if (count === 0) continue;
    helped += count;
    classes.push(podClass);
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
        classes,
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
 * Adds the one node that takes pods of the class, from the one at `first` on, and gives the first that has no place
 * then. A group's nodes come in several zones by turns: where the next one does not take the pod, the one after it
 * may. None is added in vain.
 */
const addNodeFor = (first: number, demand: Demand, adding: Adding): number => {
  const { nodes, open, state, world, limit } = adding;
  const { podClass, pods } = demand;
  const turns = podClass.mayChange ? state.group.zones.length : 1;
  let added = 0;
  for (; added < turns && nodes.length < limit; ) {
    const { node } = world.add(state);
    nodes.push(node);
    open.add(node);
    added += 1;
    const next = placeFrom(first, demand, { ...adding, only: node });
    if (next > first) {
      // With more domains the nodes before it may take more too.
      return podClass.mayChange && next < pods.length ? placeFrom(next, demand, adding) : next;
    }
  }
  for (; added > 0; added -= 1) {
    world.removeNewest();
    open.remove(nodes.pop() ?? -1);
  }
  return first;
};
