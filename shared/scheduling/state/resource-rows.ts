import { amountIn } from '#cluster/resources.ts';
import type { NodeTemplate } from '../node.ts';
import { withRoom } from './growing.ts';
import type { NodeList } from './node-list.ts';
import type { StatePod } from './scheduling-state.ts';

/** One resource over all nodes. The arrays are replaced when they grow: read them from here each time. */
export interface ResourceRow {
  readonly name: string;
  allocatable: Float64Array;
  /** Allocatable less what is placed; negative on an overcommitted node. */
  free: Float64Array;
}

/** What is allocatable and free, by resource and node. `pods` is a row as the others are. */
export interface ResourceRows {
  readonly pods: ResourceRow;
  row(resource: string): ResourceRow;
  place(pod: StatePod, node: number): void;
  /** After the pod has left the node's list. */
  remove(pod: StatePod, node: number): void;
  nodeAdded(node: number): void;
}

const most = Number.MAX_SAFE_INTEGER;

export function resourceRows(nodes: NodeList): ResourceRows {
  const rows = new Map<string, ResourceRow>();
  /** Nodes whose sum of some resource was held at 2^53-1: there subtraction says nothing. */
  const held = new Set<number>();

  const setNode = (row: ResourceRow, node: number, template: NodeTemplate): void => {
    row.allocatable = withRoom(row.allocatable, node + 1);
    row.free = withRoom(row.free, node + 1);
    const amount = amountIn(template.allocatable, row.name);
    row.allocatable[node] = amount;
    row.free[node] = amount;
  };
  const rowOf = (name: string): ResourceRow => {
    let row = rows.get(name);
    if (row === undefined) {
      row = { name, allocatable: new Float64Array(0), free: new Float64Array(0) };
      rows.set(name, row);
      for (let node = 0; node < nodes.count; node += 1) setNode(row, node, nodes.templateOf(node));
    }
    return row;
  };
  const take = (row: ResourceRow, node: number, amount: number): void => {
    const total = row.allocatable[node] ?? 0;
    const used = total - (row.free[node] ?? 0) + amount;
    if (used > most) held.add(node);
    row.free[node] = total - Math.min(used, most);
  };
  const placeRequests = ({ requests }: StatePod, node: number): void => {
    for (const name in requests) take(rowOf(name), node, requests[name] ?? 0);
  };
  const recount = (node: number): void => {
    held.delete(node);
    for (const row of rows.values()) {
      if (row !== pods) row.free[node] = row.allocatable[node] ?? 0;
    }
    for (const pod of nodes.podsOn(node)) placeRequests(pod, node);
  };
  const pods = rowOf('pods');

  return {
    pods,
    row: rowOf,
    place: (pod, node) => {
      pods.free[node] = (pods.free[node] ?? 0) - 1;
      placeRequests(pod, node);
    },
    remove: (pod, node) => {
      pods.free[node] = (pods.free[node] ?? 0) + 1;
      if (held.has(node)) {
        recount(node);
        return;
      }
      const { requests } = pod;
      for (const name in requests) {
        const row = rowOf(name);
        row.free[node] = (row.free[node] ?? 0) + (requests[name] ?? 0);
      }
    },
    nodeAdded: (node) => {
      held.delete(node);
      for (const row of rows.values()) setNode(row, node, nodes.templateOf(node));
    },
  };
}
