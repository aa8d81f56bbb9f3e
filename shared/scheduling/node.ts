import type { HostPort, SchedulingConstraints, Taint } from '#cluster/constraints.ts';
import { amountIn, heldAmount, type Resources } from '#cluster/resources.ts';
import type { CsiNodeView } from '#cluster/storage-views.ts';

/** What a node offers before any pod is on it: a NodeView is one, and so is a group's template. */
export interface NodeTemplate {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly unschedulable: boolean;
  /** With `pods`; a node that says nothing of pods takes none. */
  readonly allocatable: Resources;
  /** What its kubelet declares. Absent: nothing. */
  readonly declaredFeatures?: readonly string[];
  /** The CSI drivers that a planned node will have; a node that exists has the CsiNodeView of its name. */
  readonly csi?: Pick<CsiNodeView, 'drivers' | 'migrated'>;
}

/**
 * A node while pods are packed on it. It is changed in place by `placePod` alone and only ever fills
 * up, which packing relies on; `copyNode` gives a simulation its own.
 */
export interface SchedulingNode extends NodeTemplate {
  /** Sums of what is placed, by resource; without `pods`. */
  readonly requested: Map<string, number>;
  podCount: number;
  hostPorts: readonly HostPort[];
}

/** The part of a pod, a DaemonSet's pod or a template's pod that the filters look at. */
export type SchedulablePod = SchedulingConstraints;

/** A node with nothing on it. */
export const schedulingNode = (template: NodeTemplate): SchedulingNode => ({
  name: template.name,
  labels: template.labels,
  taints: template.taints,
  unschedulable: template.unschedulable,
  allocatable: template.allocatable,
  requested: new Map(),
  podCount: 0,
  hostPorts: [],
});

/** Puts a pod on the node whether it fits or not: bound pods of an overcommitted node count too. */
export function placePod(pod: SchedulablePod, node: SchedulingNode): void {
  const { requests } = pod;
  for (const resource of Object.keys(requests)) {
    const before = node.requested.get(resource) ?? 0;
    node.requested.set(resource, heldAmount(before + amountIn(requests, resource)));
  }
  node.podCount += 1;
  if (pod.hostPorts.length > 0) node.hostPorts = [...node.hostPorts, ...pod.hostPorts];
}

/** A node with the same pods on it, which fills up on its own; the name may be another. */
export const copyNode = (node: SchedulingNode, name: string = node.name): SchedulingNode => ({
  name,
  labels: node.labels,
  taints: node.taints,
  unschedulable: node.unschedulable,
  allocatable: node.allocatable,
  requested: new Map(node.requested),
  podCount: node.podCount,
  hostPorts: node.hostPorts,
});

/** What is left of one resource; negative on an overcommitted node. */
export const freeAmount = (node: SchedulingNode, resource: string): number =>
  amountIn(node.allocatable, resource) - (node.requested.get(resource) ?? 0);
