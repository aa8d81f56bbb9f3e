import { fits } from './fit.ts';
import { copyNode, placePod, type SchedulablePod, type SchedulingNode } from './node.ts';
import { schedulingKey } from './scheduling-key.ts';

export interface Placement<Pod> {
  readonly pod: Pod;
  readonly node: SchedulingNode;
}

export interface Packing<Pod> {
  /** In the order of the pods. */
  readonly placed: readonly Placement<Pod>[];
  /** In the order of the pods. */
  readonly unplaced: readonly Pod[];
}

export interface TemplatePacking<Pod> extends Packing<Pod> {
  /** The new nodes that were opened, in order; each took at least one pod. */
  readonly nodes: readonly SchedulingNode[];
}

/**
 * Finds the first node that takes a pod, remembering per class of pods (see schedulingKey) up to where
 * every node has refused it: nodes only fill up, so none of those is asked again.
 */
function firstFit(nodes: readonly SchedulingNode[]): (pod: SchedulablePod) => number {
  const firstThatMight = new Map<string, number>();
  return (pod) => {
    const key = schedulingKey(pod);
    let index = firstThatMight.get(key) ?? 0;
    for (; index < nodes.length; index += 1) {
      const node = nodes[index];
      if (node && fits(pod, node)) break;
    }
    firstThatMight.set(key, index);
    return index;
  };
}

/**
 * Places each pod, in the order given, on the first of the nodes that takes it. The nodes fill up in
 * place: give copies to a simulation.
 */
export function packOnNodes<Pod extends SchedulablePod>(
  pods: readonly Pod[],
  nodes: readonly SchedulingNode[],
): Packing<Pod> {
  const placed: Placement<Pod>[] = [];
  const unplaced: Pod[] = [];
  const find = firstFit(nodes);
  for (const pod of pods) {
    const node = nodes[find(pod)];
    if (node) {
      placePod(pod, node);
      placed.push({ pod, node });
    } else {
      unplaced.push(pod);
    }
  }
  return { placed, unplaced };
}

/** New nodes of one kind. */
export interface NewNodes {
  /** A new node as it comes up, its DaemonSet pods on it. Never changed. */
  readonly template: SchedulingNode;
  readonly maxNodes: number;
  /** Name of the nth new node, from 0. Default: `<template>/<n>`. */
  readonly nameOf?: (index: number) => string;
}

/**
 * Places each pod, in the order given, on the first new node that takes it, opening another where none
 * does, up to `maxNodes`. A pod that an empty node cannot take opens none.
 */
export function packOnTemplate<Pod extends SchedulablePod>(
  pods: readonly Pod[],
  newNodes: NewNodes,
): TemplatePacking<Pod> {
  const { template, maxNodes, nameOf = (index) => `${template.name}/${index}` } = newNodes;
  const nodes: SchedulingNode[] = [];
  const placed: Placement<Pod>[] = [];
  const unplaced: Pod[] = [];
  const find = firstFit(nodes);
  for (const pod of pods) {
    let node = nodes[find(pod)];
    if (!node && nodes.length < maxNodes) {
      const opened = copyNode(template, nameOf(nodes.length));
      if (fits(pod, opened)) {
        nodes.push(opened);
        node = opened;
      }
    }
    if (node) {
      placePod(pod, node);
      placed.push({ pod, node });
    } else {
      unplaced.push(pod);
    }
  }
  return { nodes, placed, unplaced };
}
