import type { ScaleUpInput } from '#scaling/decision.ts';
import { defaultScalingPolicy } from '#scaling/policy.ts';
import { measureDecision, renderDecision } from './decision/measure.ts';
import { mixedPods, ofMany } from './decision/mixed-pods.ts';
import { readCluster } from './decision/read-cluster.ts';
import { lookedAtMs, nodeGroupsOf, type RawClusterSize } from './raw-cluster.ts';
import type { Workload } from './workload.ts';

const defaultPods = 8000;
const workloads = 40;

/** Nodes on which nothing but DaemonSets runs, one for 80 pods: they hold about a third. */
const sizeOf = (pods: number): RawClusterSize => ({
  nodes: Math.ceil(pods / 80),
  runningPerNode: 3,
  pending: 0,
  kinds: 1,
  groups: 10,
});

const inputOf = (pods: number): ScaleUpInput => {
  const size = sizeOf(pods);
  const snapshot = readCluster(size);
  const pending = mixedPods({
    pods,
    workloads,
    constraints: ofMany,
    milliCpuOf: (workload) => 150 + 10 * ((workload * 7) % 31),
    memoryMiBOf: (workload) => 256 + 64 * ((workload * 5) % 13),
  });
  return {
    cluster: 'bench',
    snapshot: { ...snapshot, pods: [...snapshot.pods, ...pending] },
    nodeGroups: nodeGroupsOf(size),
    ledger: [],
    policy: defaultScalingPolicy,
    nowMs: lookedAtMs,
  };
};

export const burst: Workload = {
  name: 'burst',
  about: 'one decision on pods that come all at once to a cluster that holds a third of them',
  options: [`--size N          pods (${defaultPods}), a node for 80 of them is there`],
  run: async ({ size = defaultPods }) => {
    const { figures } = await measureDecision(inputOf(size));
    return { size, pods: size, ...figures };
  },
  render: renderDecision,
};
