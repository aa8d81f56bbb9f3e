import { getOwn } from '#cluster/own-record.ts';
import type { NodeTemplate } from '../node.ts';
import type { FitReason } from './filter.ts';

/** What the node says for a label key, for people. */
export function labelOfNode(node: NodeTemplate, key: string): string {
  const value = getOwn(node.labels, key);
  return value === undefined ? `the node has no label ${key}` : `the node has ${key}=${value}`;
}

const unmet = (node: NodeTemplate, key: string, value: string): FitReason => ({
  code: 'nodeSelector',
  message: `nodeSelector wants ${key}=${value}; ${labelOfNode(node, key)}`,
});

/** The pairs that the node's labels lack. */
export const explainNodeSelector = (
  nodeSelector: Readonly<Record<string, string>>,
  node: NodeTemplate,
): FitReason[] =>
  Object.entries(nodeSelector)
    .filter(([key, value]) => getOwn(node.labels, key) !== value)
    .map(([key, value]) => unmet(node, key, value));
