import { keepsPodsAway, taintText, tolerates, untoleratedTaint } from '#cluster/taints.ts';
import type { FitFilter } from './filter.ts';

/** TaintToleration: every NoSchedule and NoExecute taint is tolerated. */
export const taintsFilter: FitFilter = {
  passes: (pod, node) => untoleratedTaint(node.taints, pod.tolerations) === undefined,
  explain: (pod, node) =>
    node.taints
      .filter(
        (taint) => keepsPodsAway(taint) && !pod.tolerations.some((one) => tolerates(one, taint)),
      )
      .map((taint) => ({
        code: 'untoleratedTaint',
        message: `the taint ${taintText(taint)} is not tolerated`,
      })),
};
