import type { NodeSelectorTerm } from '#cluster/constraints.ts';
import { matchesTerms } from '#cluster/labels.ts';
import { looksAtNames } from '../filters/node-affinity.ts';
import { toShareOfLargest } from './normalise.ts';
import type { ScorePlugin } from './score-plugin.ts';

/** NodeAffinity: the weights of the preferred terms that the node meets. */
export const nodeAffinity: ScorePlugin = {
  name: 'NodeAffinity',
  weight: 2,
  ask: ({ preferredNodeAffinity = [] }, { nodes }) => {
    if (preferredNodeAffinity.length === 0) return undefined;
    const terms: readonly NodeSelectorTerm[] = preferredNodeAffinity.map(({ term }) => term);
    return {
      changesWith: 'nothing',
      byName: looksAtNames({ nodeSelector: {}, requiredNodeAffinity: terms }),
      raw: (node) => {
        const view = nodes.at(node);
        let sum = 0;
        for (const { weight, term } of preferredNodeAffinity) {
          if (matchesTerms([term], view)) sum += weight;
        }
        return sum;
      },
      normalise: toShareOfLargest,
    };
  },
};
