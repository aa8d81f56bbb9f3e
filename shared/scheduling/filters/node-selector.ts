import { matchesNodeSelector } from '#cluster/labels.ts';
import { getOwn } from '#cluster/own-record.ts';
import type { SchedulingNode } from '../node.ts';
import type { FitFilter, FitReason } from './filter.ts';

/** What the node says for a label key, for people. */
export function labelOfNode(node: SchedulingNode, key: string): string {
  const value = getOwn(node.labels, key);
  return value === undefined ? `the node has no label ${key}` : `the node has ${key}=${value}`;
}

const unmet = (node: SchedulingNode, key: string, value: string): FitReason => ({
  code: 'nodeSelector',
  message: `nodeSelector wants ${key}=${value}; ${labelOfNode(node, key)}`,
});

/** NodeAffinity, first half: every pair of `spec.nodeSelector` is among the node's labels. */
export const nodeSelectorFilter: FitFilter = {
  passes: (pod, node) => matchesNodeSelector(pod.nodeSelector, node.labels),
  explain: (pod, node) =>
    Object.entries(pod.nodeSelector)
      .filter(([key, value]) => getOwn(node.labels, key) !== value)
      .map(([key, value]) => unmet(node, key, value)),
};
