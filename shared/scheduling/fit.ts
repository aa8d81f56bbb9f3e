import type { FitFilter, FitReason } from './filters/filter.ts';
import { hostPortsFilter } from './filters/host-ports.ts';
import { nodeAffinityFilter } from './filters/node-affinity.ts';
import { nodeSelectorFilter } from './filters/node-selector.ts';
import { podCountFilter } from './filters/pod-count.ts';
import { resourcesFilter } from './filters/resources.ts';
import { taintsFilter } from './filters/taints.ts';
import { unschedulableFilter } from './filters/unschedulable.ts';
import type { SchedulablePod, SchedulingNode } from './node.ts';

export type { FitReason, FitReasonCode } from './filters/filter.ts';

/** The cheapest and most telling first. */
const filters: readonly FitFilter[] = [
  podCountFilter,
  resourcesFilter,
  unschedulableFilter,
  nodeSelectorFilter,
  nodeAffinityFilter,
  taintsFilter,
  hostPortsFilter,
];

/**
 * Whether kube-scheduler's filters would let the pod on the node, as far as they are judged here:
 * `notJudged` of the pod names what is not. `spec.nodeName` plays no part.
 */
export function fits(pod: SchedulablePod, node: SchedulingNode): boolean {
  for (const filter of filters) {
    if (!filter.passes(pod, node)) return false;
  }
  return true;
}

/** Everything that keeps the pod off the node, in a stable order; empty exactly where it fits. */
export const explainFit = (pod: SchedulablePod, node: SchedulingNode): readonly FitReason[] =>
  filters.flatMap((filter) => filter.explain(pod, node));
