import { amountIn } from '#cluster/resources.ts';
import type { SchedulingNode } from '../node.ts';
import type { FitFilter } from './filter.ts';

const isFull = (node: SchedulingNode): boolean =>
  node.podCount + 1 > amountIn(node.allocatable, 'pods');

/** NodeResourcesFit's other half: a node takes at most `allocatable.pods` pods, whatever they ask for. */
export const podCountFilter: FitFilter = {
  passes: (_pod, node) => !isFull(node),
  explain: (_pod, node) =>
    isFull(node)
      ? [
          {
            code: 'tooManyPods',
            message: `Too many pods (${node.podCount} there, room for ${amountIn(node.allocatable, 'pods')})`,
          },
        ]
      : [],
};
