import type { HostPort } from '#cluster/constraints.ts';
import { amountIn, minResources, type Resources, subtractResources } from '#cluster/resources.ts';
import { portsCollide } from '#scheduling/filters/host-ports.ts';
import type { SchedulablePod, SchedulingNode } from '#scheduling/node.ts';

/**
 * What is left on a node that is not there yet, whichever of its group's templates it will be: of each
 * resource the least, and every host port taken on any. A pod fits it exactly if it would find room on
 * all of the templates; labels and taints are judged apart, once per class of pods.
 */
export interface Room {
  /** With `pods`; a resource that is not there counts as 0. */
  readonly free: Map<string, number>;
  ports: readonly HostPort[];
}

/** The room that is sure on a new node, of nodes that carry their DaemonSet pods. */
export const sureRoom = (nodes: readonly SchedulingNode[]): Room => {
  const [first = {}, ...others] = nodes.map(freeOf);
  const ports = nodes.flatMap((node) => node.hostPorts);
  return { free: new Map(Object.entries(others.reduce(minResources, first))), ports };
};

const freeOf = (node: SchedulingNode): Resources =>
  subtractResources(node.allocatable, {
    ...Object.fromEntries(node.requested),
    pods: node.podCount,
  });

export const copyRoom = (room: Room): Room => ({ free: new Map(room.free), ports: room.ports });

/** How many of these identical pods the room takes, up to `wanted`. A zero request never fails. */
export const countThatFits = (pod: SchedulablePod, room: Room, wanted: number): number => {
  let count = Math.min(wanted, room.free.get('pods') ?? 0);
  for (const resource of Object.keys(pod.requests)) {
    if (count <= 0) return 0;
    const request = amountIn(pod.requests, resource);
    if (request > 0) {
      count = Math.min(count, Math.floor((room.free.get(resource) ?? 0) / request));
    }
  }
  if (pod.hostPorts.length === 0 || count <= 0) return Math.max(count, 0);
  const taken = pod.hostPorts.some((port) => room.ports.some((other) => portsCollide(port, other)));
  return taken ? 0 : 1;
};

/** Puts identical pods into the room, whether they fit or not. */
export const takeRoom = (pod: SchedulablePod, room: Room, count: number): void => {
  const { free } = room;
  free.set('pods', (free.get('pods') ?? 0) - count);
  for (const resource of Object.keys(pod.requests)) {
    free.set(resource, (free.get(resource) ?? 0) - amountIn(pod.requests, resource) * count);
  }
  if (pod.hostPorts.length > 0) room.ports = [...room.ports, ...pod.hostPorts];
};
