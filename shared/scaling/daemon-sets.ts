import { compareNamespacedName, compareText } from '#cluster/order.ts';
import type { ClusterSnapshot, DaemonSetView, PodView } from '#cluster/snapshot.ts';
import { fits } from '#scheduling/fit.ts';
import {
  type NodeTemplate,
  placePod,
  type SchedulablePod,
  type SchedulingNode,
  schedulingNode,
} from '#scheduling/node.ts';
import { isDaemonSetPod } from './candidates.ts';

/** What one pod of each DaemonSet asks for, by namespace and name. */
export type DaemonSetPods = readonly SchedulablePod[];

/**
 * The pod that each DaemonSet puts on a new node. Requests are those of its newest live pod, since
 * admission (a LimitRange) may have raised them; where no pod lives, those of its template.
 */
export const daemonSetPodsOf = (
  snapshot: Pick<ClusterSnapshot, 'pods' | 'daemonSets'>,
): DaemonSetPods => {
  const newest = new Map<string, PodView>();
  for (const pod of snapshot.pods) {
    if (!isDaemonSetPod(pod) || pod.deletedAtMs !== undefined) continue;
    if (pod.phase === 'Succeeded' || pod.phase === 'Failed') continue;
    const owner = pod.owner?.uid ?? '';
    const other = newest.get(owner);
    if (other === undefined || isNewer(pod, other)) newest.set(owner, pod);
  }
  return [...snapshot.daemonSets].sort(compareNamespacedName).map((set) => podOf(set, newest));
};

const podOf = (set: DaemonSetView, newest: ReadonlyMap<string, PodView>): SchedulablePod => ({
  ...set,
  requests: newest.get(set.uid)?.requests ?? set.requests,
});

const isNewer = (pod: PodView, other: PodView): boolean => {
  const [age, otherAge] = [pod.createdAtMs ?? 0, other.createdAtMs ?? 0];
  return age === otherAge ? compareText(pod.name, other.name) > 0 : age > otherAge;
};

/** Views are never changed, so that a part once taken stays right for its object. */
const placements = new WeakMap<SchedulablePod, SchedulablePod>();

/** The demands on labels and taints alone, which no filling of a node changes. */
export const placementOf = (pod: SchedulablePod): SchedulablePod => {
  const known = placements.get(pod);
  if (known !== undefined) return known;
  const placement: SchedulablePod = {
    requests: {},
    nodeSelector: pod.nodeSelector,
    ...(pod.requiredNodeAffinity === undefined
      ? {}
      : { requiredNodeAffinity: pod.requiredNodeAffinity }),
    tolerations: pod.tolerations,
    hostPorts: [],
    notJudged: [],
  };
  placements.set(pod, placement);
  return placement;
};

/** Whether labels and taints of an empty node let the pod on it. */
export const mayRunOn = (pod: SchedulablePod, template: NodeTemplate): boolean =>
  fits(placementOf(pod), schedulingNode({ ...template, allocatable: { pods: 1 } }));

/**
 * A new node with its DaemonSet pods on it, their host ports too: every DaemonSet whose selector,
 * affinity and tolerations let it there. Resources are not asked: what a DaemonSet cannot get stays
 * Pending there and still has a claim to the room.
 */
export const nodeWithDaemonSets = (
  template: NodeTemplate,
  daemonSets: DaemonSetPods,
): SchedulingNode => {
  const node = schedulingNode(template);
  for (const pod of daemonSets) if (mayRunOn(pod, template)) placePod(pod, node);
  return node;
};
