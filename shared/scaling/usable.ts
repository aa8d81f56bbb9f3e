import type { Taint } from '#cluster/constraints.ts';
import { amountIn, type Resources } from '#cluster/resources.ts';
import type { NodeView } from '#cluster/snapshot.ts';
import { matchesGlob } from './glob.ts';

/** Taints that a node carries only while it starts; entries are patterns. */
const startupTaintPatterns: readonly string[] = [
  'node.kubernetes.io/not-ready',
  'node.kubernetes.io/unreachable',
  'node.kubernetes.io/network-unavailable',
  'node.cloudprovider.kubernetes.io/uninitialized',
  'startup-taint.cluster-autoscaler.kubernetes.io/*',
  'ignore-taint.cluster-autoscaler.kubernetes.io/*',
  'karpenter.sh/unregistered',
  'node.cilium.io/agent-not-ready',
  'ebs.csi.aws.com/agent-not-ready',
  'efs.csi.aws.com/agent-not-ready',
];

/** The first taint that says the node is still starting; `extra` are the policy's own patterns. */
export const startupTaintOf = (
  node: Pick<NodeView, 'taints'>,
  extra: readonly string[],
): Taint | undefined =>
  node.taints.find(({ key }) =>
    [...startupTaintPatterns, ...extra].some((pattern) => matchesGlob(pattern, key)),
  );

const ownResources: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage', 'pods']);

/** Resources that a device plugin brings some time after the node is Ready. */
export const extendedResourcesOf = (resources: Resources): readonly string[] =>
  Object.keys(resources)
    .filter((name) => !ownResources.has(name) && !name.startsWith('hugepages-'))
    .filter((name) => amountIn(resources, name) > 0)
    .sort();

/** The amounts of those resources alone. */
export const devicesOf = (resources: Resources): Resources =>
  Object.fromEntries(
    extendedResourcesOf(resources).map((name) => [name, amountIn(resources, name)]),
  );

/** What a node lacks to be of use; the codes are those of a launch that failed by it. */
export interface Lack {
  readonly code: 'neverReady' | 'startupTaintStays' | 'resourcesMissing';
  readonly message: string;
}

/**
 * What keeps a node from having come up: it is Ready, has no startup taint, and shows every extended
 * resource that its group's template promises; else it lacks something. Until then it counts as on its
 * way, so that a GPU node without its device plugin does not call for a second one. Cordoning does not
 * matter here.
 */
export const lackOf = (
  node: NodeView,
  promised: readonly string[],
  startupTaints: readonly string[],
): Lack | undefined => {
  if (node.ready !== 'True') {
    return { code: 'neverReady', message: `its Node ${node.name} is not Ready (${node.ready})` };
  }
  const taint = startupTaintOf(node, startupTaints);
  if (taint !== undefined) {
    return {
      code: 'startupTaintStays',
      message: `its Node ${node.name} still has the startup taint ${taint.key}`,
    };
  }
  const missing = promised.filter((resource) => amountIn(node.allocatable, resource) <= 0);
  return missing.length === 0
    ? undefined
    : {
        code: 'resourcesMissing',
        message: `its Node ${node.name} shows no ${missing.join(', ')}, which its group promises`,
      };
};

/** Whether a node has come up. */
export const isUsable = (
  node: NodeView,
  promised: readonly string[],
  startupTaints: readonly string[],
): boolean => lackOf(node, promised, startupTaints) === undefined;
