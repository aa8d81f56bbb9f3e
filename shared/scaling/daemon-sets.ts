import { compareNamespacedName, compareText } from '#cluster/order.ts';
import type { ClusterSnapshot, DaemonSetView, PodView } from '#cluster/snapshot.ts';
import type { SchedulingState, StatePod } from '#scheduling/state/scheduling-state.ts';
import { isDaemonSetPod } from './candidates.ts';

/** What one pod of each DaemonSet asks for, by namespace and name. */
export type DaemonSetPods = readonly StatePod[];

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

const podOf = (set: DaemonSetView, newest: ReadonlyMap<string, PodView>): StatePod => ({
  ...set,
  requests: newest.get(set.uid)?.requests ?? set.requests,
});

const isNewer = (pod: PodView, other: PodView): boolean => {
  const [age, otherAge] = [pod.createdAtMs ?? 0, other.createdAtMs ?? 0];
  return age === otherAge ? compareText(pod.name, other.name) > 0 : age > otherAge;
};

/**
 * Whether labels and taints of the node let a DaemonSet's pod on it, so that the DaemonSet makes one there.
 * Resources are not asked: what a DaemonSet cannot get stays Pending there and still has a claim to the room.
 */
export const mayRunOn = (pod: StatePod, node: number, state: SchedulingState): boolean =>
  state.questionOf(pod).suits(node);
