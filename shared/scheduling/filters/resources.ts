import { formatAmounts } from '#cluster/format-amount.ts';
import { amountIn } from '#cluster/resources.ts';
import { freeAmount, type SchedulablePod, type SchedulingNode } from '../node.ts';
import type { FitFilter, FitReason } from './filter.ts';

function insufficient(resource: string, request: number, node: SchedulingNode): FitReason {
  const total = amountIn(node.allocatable, resource);
  const free = Math.max(0, freeAmount(node, resource));
  const [needs, left, all] = formatAmounts(resource, [request, free, total]);
  const offer = total === 0 ? 'the node has none' : `${left} free of ${all}`;
  return {
    code: 'insufficientResource',
    message: `Insufficient ${resource} (needs ${needs}, ${offer})`,
  };
}

const lacks = (pod: SchedulablePod, node: SchedulingNode, resource: string): boolean => {
  const request = amountIn(pod.requests, resource);
  return request > 0 && request > freeAmount(node, resource);
};

/**
 * NodeResourcesFit: a request that is not zero must be at most allocatable less what is requested; a
 * zero request passes even on an overcommitted node.
 */
export const resourcesFilter: FitFilter = {
  passes: (pod, node) => {
    for (const resource of Object.keys(pod.requests)) {
      if (lacks(pod, node, resource)) return false;
    }
    return true;
  },
  explain: (pod, node) =>
    Object.keys(pod.requests)
      .sort()
      .filter((resource) => lacks(pod, node, resource))
      .map((resource) => insufficient(resource, amountIn(pod.requests, resource), node)),
};
