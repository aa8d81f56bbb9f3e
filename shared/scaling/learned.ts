import { maxResources, minResources, type Resources } from '#cluster/resources.ts';
import type { LaunchTemplateRef } from './aws-views.ts';
import { isNewer, type LiveNode } from './match-nodes.ts';
import { hasPassed } from './stored-time.ts';
import { devicesOf, extendedResourcesOf, isUsable, startupTaintOf } from './usable.ts';

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
  hasPassed(rules.startLimitSeconds, node.createdAtMs, rules.nowMs);

export interface Learned {
  readonly capacity: Resources;
  readonly allocatable: Resources;
  /** Name of the newest usable node. */
  readonly from: string;
  /** What that one was launched from. */
  readonly launchTemplate?: LaunchTemplateRef;
}

/**
 * What a usable node of one kind really has. Of what the kubelet reports (CPU, memory, storage, huge
 * pages, pods) the newest one's amounts: it came up as the next will. Of devices the most that any of
 * them shows: fewer are a fault of that node. Only amounts are learned, never labels or taints: those of
 * one node may be passing.
 */
export const learnAmounts = (
  live: readonly LiveNode[],
  promised: readonly string[],
  startupTaints: readonly string[],
): Learned | undefined => {
  const usable = live.filter(({ node }) => isUsable(node, promised, startupTaints));
  const [first, ...others] = usable;
  if (first === undefined) return undefined;
  const { node: newest, instance } = others.reduce(
    (a, b) => (isNewer(b.node, a.node) ? b : a),
    first,
  );
  const { launchTemplate } = instance;
  return {
    capacity: withMostDevices(
      newest.capacity,
      usable.map(({ node }) => node.capacity),
    ),
    allocatable: withMostDevices(
      newest.allocatable,
      usable.map(({ node }) => node.allocatable),
    ),
    from: newest.name,
    ...(launchTemplate === undefined ? {} : { launchTemplate }),
  };
};

const withMostDevices = (newest: Resources, all: readonly Resources[]): Resources =>
  all.reduce((most, one) => maxResources(most, devicesOf(one)), newest);
