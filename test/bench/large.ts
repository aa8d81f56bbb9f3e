import type { ScaleUpInput } from '#scaling/decision.ts';
import { defaultScalingPolicy } from '#scaling/policy.ts';
import { measureDecision, renderDecision } from './decision/measure.ts';
import { mixedPods, ofFew } from './decision/mixed-pods.ts';
import { readCluster } from './decision/read-cluster.ts';
import { lookedAtMs, nodeGroupsOf, type RawClusterSize } from './raw-cluster.ts';
import type { Workload, WorkloadOptions } from './workload.ts';

const defaultNodes = 5000;
const defaultPending = 500;
const podsPerWorkload = 5;

const sizeOf = ({ size = defaultNodes, groups = 10 }: WorkloadOptions): RawClusterSize => ({
  nodes: size,
  runningPerNode: 30,
  pending: 0,
  kinds: 1,
  groups,
});

export const inputOf = (size: RawClusterSize, pending: number): ScaleUpInput => {
  const snapshot = readCluster(size);
  const pods = mixedPods({
    pods: pending,
    workloads: Math.ceil(pending / podsPerWorkload),
    constraints: ofFew,
    // More than most nodes have left.
    milliCpuOf: (workload) => 500 + 100 * ((workload * 7) % 31),
    memoryMiBOf: (workload) => 512 + 256 * ((workload * 5) % 13),
  });
  return {
    cluster: 'bench',
    snapshot: { ...snapshot, pods: [...snapshot.pods, ...pods] },
    nodeGroups: nodeGroupsOf(size),
    ledger: [],
    policy: defaultScalingPolicy,
    nowMs: lookedAtMs,
  };
};

export const large: Workload = {
  name: 'large',
  about: 'one decision on Pending pods with constraints of eight kinds, in a large cluster',
  options: [
    `--size N          nodes, with 30 running pods each (${defaultNodes})`,
    `--pending N       Pending pods, of a workload for ${podsPerWorkload} of them (${defaultPending})`,
    '--groups N        node groups (10)',
  ],
  run: async (options) => {
    const size = sizeOf(options);
    const pending = options.pending ?? defaultPending;
    const input = inputOf(size, pending);
    const { figures } = await measureDecision(input, 7);
    const pods = input.snapshot.pods.length;
    return { size: size.nodes, pods, pending, existingNodes: size.nodes, ...figures };
  },
  render: renderDecision,
};
