import type { NodeView, PodView } from '#cluster/snapshot.ts';
import { isDaemonSetPod, isNominated, takesRoom } from './candidates.ts';

/** The pods that take room on each node, by its name. */
export type Occupancy = ReadonlyMap<string, readonly PodView[]>;

/**
 * Who takes room where, before any Pending pod is placed: bound pods that have not ended (leaving ones
 * too), pods nominated for the node, and Pending DaemonSet pods made for it. Pods that leave for a
 * nominated pod of higher priority are its victims: the room is counted once, for the nominated pod.
 */
export const occupancyOf = (nodes: readonly NodeView[], pods: readonly PodView[]): Occupancy => {
  const names = new Set(nodes.map((node) => node.name));
  const byNode = new Map<string, PodView[]>();
  const nominated = new Map<string, PodView[]>();
  const add = (to: Map<string, PodView[]>, node: string, pod: PodView): void => {
    const others = to.get(node);
    if (others === undefined) to.set(node, [pod]);
    else others.push(pod);
  };
  for (const pod of pods) {
    if (pod.nodeName !== undefined) {
      if (takesRoom(pod)) add(byNode, pod.nodeName, pod);
    } else if (pod.phase === 'Pending' && pod.deletedAtMs === undefined) {
      const node = reservedNode(pod, names);
      if (node === undefined) continue;
      add(byNode, node, pod);
      if (!isDaemonSetPod(pod)) add(nominated, node, pod);
    }
  }
  for (const [node, preemptors] of nominated) {
    const here = byNode.get(node) ?? [];
    byNode.set(
      node,
      here.filter((pod) => !isVictim(pod, preemptors)),
    );
  }
  return byNode;
};

const reservedNode = (pod: PodView, names: ReadonlySet<string>): string | undefined => {
  if (isDaemonSetPod(pod)) return daemonSetTarget(pod);
  return isNominated(pod, names) ? pod.nominatedNodeName : undefined;
};

/** The DaemonSet controller pins each pod by `metadata.name` in every term of its node affinity. */
const daemonSetTarget = (pod: PodView): string | undefined =>
  pod.requiredNodeAffinity
    ?.flatMap((term) => term.matchFields)
    .find((field) => field.key === 'metadata.name' && field.operator === 'In')?.values[0];

const isVictim = (pod: PodView, preemptors: readonly PodView[]): boolean =>
  pod.deletedAtMs !== undefined &&
  preemptors.some((preemptor) => (preemptor.priority ?? 0) > (pod.priority ?? 0));
