import { amountIn } from '#cluster/resources.ts';
import type { NodeTemplate } from '#scheduling/node.ts';
import { packNewNodes } from '#scheduling/packing/pack-new-nodes.ts';
import type { NodeOffer } from '#scheduling/packing/question.ts';
import type { GroupState } from '../group-state.ts';
import type { NodeKind } from './node-kind.ts';
import type { PlannedWorld } from './planned-world.ts';
import type { Demand } from './pod-class.ts';

export interface PackingInput {
  /** Pods without a place. */
  readonly demands: readonly Demand[];
  readonly groups: readonly GroupState[];
  readonly world: PlannedWorld;
  /** How many more nodes the group may get. */
  limitOf(group: GroupState): number;
  /** What a node of the group costs, in millionths of a dollar per hour; `undefined`: nobody knows. */
  priceOf(group: GroupState): number | undefined;
  /** How many splits of two nodes may be tried to make the plan cheaper. */
  readonly trials: number;
}

/**
 * The nodes, of all groups at once, that hold the pods at the least price; only groups whose price is known are
 * asked, and pods for which none of them is are left for others to help. Groups without a node are not in it. The
 * world is left as it was.
 */
export const packDemands = (input: PackingInput): ReadonlyMap<string, number> => {
  const { demands, groups, world, trials } = input;
  const offered = groups.flatMap((group) => offersOf(group, input));
  if (offered.length === 0 || demands.length === 0) return new Map();
  const { nodes } = packNewNodes({
    kinds: demands.map(({ podClass, pods }) => ({ pod: podClass.sample, count: pods.length })),
    offers: offered.map(({ offer }) => offer),
    state: world.state,
    existing: [],
    trials,
  });
  const counts = new Map<string, number>();
  for (const node of nodes) {
    const name = offered[node]?.group ?? '';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
};

interface Offered {
  readonly group: string;
  readonly offer: NodeOffer;
}

/**
 * One offer for each zone that a group's nodes are expected in by turns, so that pods which spread over zones are
 * packed too; the zone is AWS's choice, and so an even share of the nodes is had in each.
 */
const offersOf = (group: GroupState, { limitOf, priceOf }: PackingInput): readonly Offered[] => {
  const price = priceOf(group);
  const limit = limitOf(group);
  if (price === undefined || limit <= 0 || group.probed.length === 0) return [];
  const kinds = new Set(group.group.zones.map((_, index) => group.kindOfNext(index)));
  return [...kinds].map((kind) => ({
    group: group.group.name,
    offer: {
      template: withoutDaemonPods(kind),
      price,
      limit: Math.ceil(limit / kinds.size),
      accepts: (pod) => kind.takes(pod),
    },
  }));
};

/** What they ask for is off the room of a kind already; they take places among its pods. */
const withoutDaemonPods = ({ node, daemonPods }: NodeKind): NodeTemplate => ({
  ...node,
  allocatable: {
    ...node.allocatable,
    pods: amountIn(node.allocatable, 'pods') - daemonPods.length,
  },
});
