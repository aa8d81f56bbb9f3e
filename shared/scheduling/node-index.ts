import type { NodeSelectorTerm, SchedulingConstraints } from '#cluster/constraints.ts';
import type { NodeTemplate } from './node.ts';

/** Positions of nodes in their list, rising. */
type Positions = readonly number[];

/**
 * Finds the nodes that a pod's nodeSelector and required node affinity leave at all, without asking each:
 * a superset of those that they let it on, rising; `undefined` stands for every node.
 */
export type NodeIndex = (
  pod: Pick<SchedulingConstraints, 'nodeSelector' | 'requiredNodeAffinity'>,
) => Positions | undefined;

/** Labels of nodes do not change while pods are packed on them, so that one index serves all. */
export const nodeIndexOf = (nodes: readonly Pick<NodeTemplate, 'name' | 'labels'>[]): NodeIndex => {
  const byLabel = new Map<string, number[]>();
  const add = (key: string, position: number): void => {
    const others = byLabel.get(key);
    if (others === undefined) byLabel.set(key, [position]);
    else others.push(position);
  };
  nodes.forEach((node, position) => {
    add(nameKey(node.name), position);
    for (const [key, value] of Object.entries(node.labels)) {
      add(labelKey(key), position);
      add(labelKey(key, value), position);
    }
  });

  const withAny = (keys: readonly string[]): Positions => merged(keys.map((key) => at(key)));
  const at = (key: string): Positions => byLabel.get(key) ?? [];
  const ofTerm = ({ matchExpressions, matchFields }: NodeSelectorTerm): Positions | undefined =>
    shortest([
      ...matchExpressions.map(({ key, operator, values }) => {
        if (operator === 'In') return withAny(values.map((value) => labelKey(key, value)));
        return operator === 'Exists' || operator === 'Gt' || operator === 'Lt'
          ? at(labelKey(key))
          : undefined;
      }),
      ...matchFields.map(({ key, operator, values }) =>
        key === 'metadata.name' && operator === 'In' ? withAny(values.map(nameKey)) : undefined,
      ),
    ]);
  return ({ nodeSelector, requiredNodeAffinity }) => {
    const terms = requiredNodeAffinity?.map(ofTerm);
    const open = terms === undefined || terms.includes(undefined);
    return shortest([
      ...Object.entries(nodeSelector).map(([key, value]) => at(labelKey(key, value))),
      open ? undefined : merged(terms.map((positions) => positions ?? [])),
    ]);
  };
};

// No label key or value has a space in it.
const labelKey = (key: string, value?: string): string =>
  value === undefined ? `key ${key}` : `label ${key} ${value}`;
const nameKey = (name: string): string => `name ${name}`;

const shortest = (lists: readonly (Positions | undefined)[]): Positions | undefined =>
  lists.reduce((best, list) => {
    if (best === undefined) return list;
    return list !== undefined && list.length < best.length ? list : best;
  }, undefined);

const merged = (lists: readonly Positions[]): Positions => {
  const [only = [], ...others] = lists;
  return others.length === 0 ? only : [...new Set(lists.flat())].sort((a, b) => a - b);
};
