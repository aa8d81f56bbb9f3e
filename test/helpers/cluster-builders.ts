import type { SchedulingConstraints } from '#cluster/constraints.ts';
import type { NodeView, PodView } from '#cluster/snapshot.ts';

/** Demands of a pod that demands nothing, but for what is given. */
export const buildConstraints = (
  given: Partial<SchedulingConstraints> = {},
): SchedulingConstraints => ({
  requests: {},
  nodeSelector: {},
  tolerations: [],
  hostPorts: [],
  notJudged: [],
  ...given,
});

/** A Pending pod `default/<name>`. */
export const buildPod = (name: string, given: Partial<PodView> = {}): PodView => ({
  namespace: 'default',
  name,
  uid: `uid-${name}`,
  labels: {},
  annotations: {},
  schedulerName: 'default-scheduler',
  phase: 'Pending',
  gated: false,
  ...buildConstraints(),
  ...given,
});

/** A Ready node of 4 CPU, 16 GiB and 110 pods. */
export const buildNode = (name: string, given: Partial<NodeView> = {}): NodeView => {
  const allocatable = { cpu: 4000, memory: 16 * 2 ** 30, pods: 110 };
  return {
    name,
    uid: `uid-${name}`,
    labels: {},
    annotations: {},
    unschedulable: false,
    taints: [],
    capacity: allocatable,
    allocatable,
    ready: 'True',
    ...given,
  };
};
