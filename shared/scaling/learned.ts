import { minResources, type Resources } from '#cluster/resources.ts';
import type { LiveNode } from './match-nodes.ts';
import { extendedResourcesOf, isUsable, startupTaintOf } from './usable.ts';

export interface LearningRules {
  readonly startupTaints: readonly string[];
  readonly startLimitSeconds: number;
  readonly nowMs: number;
}

/**
 * Extended resources that a new node of this kind must show before it is usable: those declared for
 * it, and those that every node past its start limit has. The second part needs no declaration, so
 * that a device plugin nobody named still holds a node back until it has reported.
 */
export const promisedResources = (
  declared: Resources,
  live: readonly LiveNode[],
  rules: LearningRules,
): readonly string[] => {
  const grown = live.filter(({ node }) => isGrown(node, rules)).map(({ node }) => node.allocatable);
  const [first, ...others] = grown;
  const seen = first === undefined ? {} : others.reduce(minResources, first);
  return [...new Set([...extendedResourcesOf(declared), ...extendedResourcesOf(seen)])].sort();
};

const isGrown = (node: LiveNode['node'], rules: LearningRules): boolean =>
  node.ready === 'True' &&
  startupTaintOf(node, rules.startupTaints) === undefined &&
  node.createdAtMs !== undefined &&
  node.createdAtMs + rules.startLimitSeconds * 1000 < rules.nowMs;

export interface Learned {
  readonly capacity: Resources;
  readonly allocatable: Resources;
  readonly from: number;
}

/**
 * What usable nodes of one kind really have: of each resource the least. Only amounts are learned,
 * never labels or taints: those of one node may be passing.
 */
export const learnAmounts = (
  live: readonly LiveNode[],
  promised: readonly string[],
  startupTaints: readonly string[],
): Learned | undefined => {
  const usable = live
    .map(({ node }) => node)
    .filter((node) => isUsable(node, promised, startupTaints));
  const [first, ...others] = usable;
  if (first === undefined) return undefined;
  return {
    capacity: others.map((node) => node.capacity).reduce(minResources, first.capacity),
    allocatable: others.map((node) => node.allocatable).reduce(minResources, first.allocatable),
    from: usable.length,
  };
};
