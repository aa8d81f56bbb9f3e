import type { Taint } from '#cluster/constraints.ts';
import { tolerates } from '#cluster/taints.ts';
import type { SchedulablePod, SchedulingNode } from '../node.ts';
import type { FitFilter } from './filter.ts';

const unschedulableTaint: Taint = {
  key: 'node.kubernetes.io/unschedulable',
  value: '',
  effect: 'NoSchedule',
};

const passes = (pod: SchedulablePod, node: SchedulingNode): boolean =>
  !node.unschedulable ||
  pod.tolerations.some((toleration) => tolerates(toleration, unschedulableTaint));

/** NodeUnschedulable: a cordoned node takes only pods that tolerate the taint of cordoned nodes. */
export const unschedulableFilter: FitFilter = {
  passes,
  explain: (pod, node) =>
    passes(pod, node)
      ? []
      : [{ code: 'unschedulable', message: 'the node is cordoned (spec.unschedulable)' }],
};
