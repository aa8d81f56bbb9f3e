import type { Judge } from './answers.ts';
import { type CountTable, countTable } from './count-table.ts';
import type { NodeList } from './node-list.ts';
import type { CountedNodes } from './pod-groups.ts';
import type { StatePod } from './scheduling-state.ts';
import type { Topologies } from './topologies.ts';

/**
 * Placed pods by the controller that made them. kube-scheduler finds a controller's pods by its
 * selector, which is no part of a pod; those of one owner are the same pods unless selectors overlap,
 * which the API forbids in words only.
 */
export interface ControllerCounts {
  /** Pods of the controller, those being deleted left out, on the nodes that count. */
  table(controller: string, topologyKey: string, counted: CountedNodes): CountTable;
  place(pod: StatePod, node: number): void;
  remove(pod: StatePod, node: number): void;
}

/** The kinds whose pods kube-scheduler spreads by default. */
const spreading: ReadonlySet<string> = new Set([
  'ReplicaSet',
  'ReplicationController',
  'StatefulSet',
]);

/** The uid of the controller over whose pods a pod is spread by default. */
export const spreadingController = ({ owner }: StatePod): string | undefined =>
  owner !== undefined && spreading.has(owner.kind) ? owner.uid : undefined;

interface Controller {
  readonly onNodes: Map<number, number>;
  readonly tables: Map<string, { readonly table: CountTable; readonly counts: Judge }>;
}

export function controllerCounts(nodes: NodeList, topologies: Topologies): ControllerCounts {
  /** `undefined` before the first table: until then nothing is kept. */
  let controllers: Map<string, Controller> | undefined;

  const controllerOf = (all: Map<string, Controller>, uid: string): Controller => {
    let controller = all.get(uid);
    if (controller === undefined) {
      controller = { onNodes: new Map(), tables: new Map() };
      all.set(uid, controller);
    }
    return controller;
  };
  const change = (pod: StatePod, node: number, amount: number): void => {
    if (controllers === undefined || pod.deletedAtMs !== undefined) return;
    const uid = spreadingController(pod);
    if (uid === undefined) return;
    const { onNodes, tables } = controllerOf(controllers, uid);
    onNodes.set(node, (onNodes.get(node) ?? 0) + amount);
    for (const { table, counts } of tables.values()) if (counts(node)) table.add(node, amount);
  };
  const prepare = (): Map<string, Controller> => {
    controllers = new Map();
    for (let node = 0; node < nodes.count; node += 1) {
      for (const pod of nodes.podsOn(node)) change(pod, node, 1);
    }
    return controllers;
  };

  return {
    table: (uid, topologyKey, { key, counts }) => {
      const { onNodes, tables } = controllerOf(controllers ?? prepare(), uid);
      const name = JSON.stringify([topologyKey, key]);
      const known = tables.get(name);
      if (known !== undefined) return known.table;
      const table = countTable(topologies.of(topologyKey));
      for (const [node, count] of onNodes) if (count > 0 && counts(node)) table.add(node, count);
      tables.set(name, { table, counts });
      return table;
    },
    place: (pod, node) => change(pod, node, 1),
    remove: (pod, node) => change(pod, node, -1),
  };
}
