import { tolerates } from '#cluster/taints.ts';
import { toReverseOfLargest } from './normalise.ts';
import type { ScorePlugin } from './score-plugin.ts';

/** TaintToleration: the fewer PreferNoSchedule taints a pod does not tolerate, the better. */
export const taintToleration: ScorePlugin = {
  name: 'TaintToleration',
  weight: 3,
  ask: ({ tolerations }, { nodes }) => ({
    changesWith: 'nothing',
    raw: (node) => {
      let count = 0;
      for (const taint of nodes.templateOf(node).taints) {
        if (taint.effect !== 'PreferNoSchedule') continue;
        if (!tolerations.some((one) => tolerates(one, taint))) count += 1;
      }
      return count;
    },
    normalise: toReverseOfLargest,
  }),
};
