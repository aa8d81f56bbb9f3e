import type { Taint } from '#cluster/constraints.ts';
import { tolerates } from '#cluster/taints.ts';
import type { FitReason } from './filter.ts';
import type { FilterPlugin } from './plugin.ts';

const cordoned: Taint = {
  key: 'node.kubernetes.io/unschedulable',
  value: '',
  effect: 'NoSchedule',
};

const reasons: readonly FitReason[] = [
  {
    code: 'unschedulable',
    message: 'the node is cordoned (spec.unschedulable)',
    schedulerReason: 'node(s) were unschedulable',
  },
];

/** NodeUnschedulable: a cordoned node takes only pods that tolerate the taint of cordoned nodes. */
export const nodeUnschedulable: FilterPlugin = {
  name: 'NodeUnschedulable',
  ask: ({ tolerations }, { nodes }) => {
    if (tolerations.some((toleration) => tolerates(toleration, cordoned))) return undefined;
    const judge = (node: number): boolean => !nodes.templateOf(node).unschedulable;
    return {
      fixed: { judge, byName: false },
      explain: (node) => (judge(node) ? [] : reasons),
    };
  },
};
