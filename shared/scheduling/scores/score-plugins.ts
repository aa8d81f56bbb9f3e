import { interPodAffinity } from './inter-pod-affinity.ts';
import { nodeAffinity } from './node-affinity.ts';
import { nodeResourcesBalancedAllocation } from './node-resources-balanced-allocation.ts';
import { nodeResourcesFit } from './node-resources-fit.ts';
import { podTopologySpread } from './pod-topology-spread.ts';
import type { ScorePlugin } from './score-plugin.ts';
import { taintToleration } from './taint-toleration.ts';

/**
 * The plugins of kube-scheduler's default profile (1.37) that score. ImageLocality is not among them: what
 * images a node has is not known, and a new one has none. VolumeBinding, which scores by how much of the
 * storage that it would take is left (StorageCapacityScoring), is left out too: it tells nodes apart only
 * with free volumes of several sizes or with drivers that track capacity.
 */
export const scorePlugins: readonly ScorePlugin[] = [
  taintToleration,
  nodeAffinity,
  podTopologySpread,
  interPodAffinity,
  nodeResourcesFit,
  nodeResourcesBalancedAllocation,
];
