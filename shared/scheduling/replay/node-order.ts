import { getOwn } from '#cluster/own-record.ts';
import type { SchedulingState } from '../state/scheduling-state.ts';

/** The zone of a node, with its region, as the scheduler's cache sorts nodes by it. */
function zoneOf(labels: Readonly<Record<string, string>>): string {
  const region = getOwn(labels, 'topology.kubernetes.io/region') ?? '';
  const zone = getOwn(labels, 'topology.kubernetes.io/zone') ?? '';
  return `${region}\0${zone}`;
}

/**
 * The order in which kube-scheduler looks at nodes (its node tree): the first of each zone, then the second
 * of each, and so on; zones as they first appear.
 */
export function inLookingOrder(state: SchedulingState, nodes: readonly number[]): Int32Array {
  const byZone = new Map<string, number[]>();
  for (const node of nodes) {
    const zone = zoneOf(state.nodeAt(node).labels);
    const others = byZone.get(zone);
    if (others === undefined) byZone.set(zone, [node]);
    else others.push(node);
  }
  const order = new Int32Array(nodes.length);
  const zones = [...byZone.values()];
  let at = 0;
  for (let turn = 0; at < nodes.length; turn += 1) {
    for (const zone of zones) {
      const node = zone[turn];
      if (node === undefined) continue;
      order[at] = node;
      at += 1;
    }
  }
  return order;
}

/** Below so many nodes all are scored; above, at least so many. */
const fewNodes = 100;
const leastPercentage = 5;

/**
 * How many nodes that pass kube-scheduler looks for before it scores them (numFeasibleNodesToFind with
 * percentageOfNodesToScore 0, its default): all of fewer than 100, and half of more, less as they are many.
 */
export function nodesToFind(nodeCount: number): number {
  if (nodeCount < fewNodes) return nodeCount;
  const percentage = Math.max(50 - Math.floor(nodeCount / 125), leastPercentage);
  return Math.max(Math.floor((nodeCount * percentage) / 100), fewNodes);
}
