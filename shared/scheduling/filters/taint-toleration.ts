import { keepsPodsAway, taintText, tolerates, untoleratedTaint } from '#cluster/taints.ts';
import type { FilterPlugin } from './plugin.ts';

const schedulerReason = 'node(s) had untolerated taint(s)';

/** TaintToleration: every NoSchedule and NoExecute taint is tolerated. */
export const taintToleration: FilterPlugin = {
  name: 'TaintToleration',
  ask: ({ tolerations }, { nodes }) => ({
    fixed: {
      judge: (node) => untoleratedTaint(nodes.templateOf(node).taints, tolerations) === undefined,
      byName: false,
    },
    explain: (node) =>
      nodes
        .templateOf(node)
        .taints.filter(
          (taint) => keepsPodsAway(taint) && !tolerations.some((one) => tolerates(one, taint)),
        )
        .map((taint) => ({
          code: 'untoleratedTaint',
          message: `the taint ${taintText(taint)} is not tolerated`,
          schedulerReason,
        })),
  }),
};
