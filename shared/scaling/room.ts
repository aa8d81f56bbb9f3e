import type { HostPort } from '#cluster/constraints.ts';
import { amountIn, minResources, type Resources, subtractResources } from '#cluster/resources.ts';
import { portsCollide } from '#scheduling/filters/host-ports.ts';
import type { SchedulablePod, SchedulingNode } from '#scheduling/node.ts';

/**
 * What is left on a node that is not there yet, whichever of its group's templates it will be: of each
 * resource the least, and every host port taken on any. A pod fits it exactly if it would find room on
 * all of the templates; labels and taints are judged apart, once per class of pods. What nearly every
 * pod asks for is a field of its own: rooms are asked millions of times in one decision.
 */
export interface Room {
  pods: number;
  milliCpu: number;
  memoryBytes: number;
  /** By name; a resource that is not there counts as 0. */
  readonly others: Map<string, number>;
  ports: readonly HostPort[];
}

/** What a pod takes of a room; only amounts that are not zero, which alone can fail. */
export interface Ask {
  readonly milliCpu: number;
  readonly memoryBytes: number;
  readonly others: readonly (readonly [resource: string, amount: number])[];
  readonly ports: readonly HostPort[];
}

/** Views are never changed, so that what one asks for stays right for its object. */
const asks = new WeakMap<SchedulablePod, Ask>();

export const askOf = (pod: SchedulablePod): Ask => {
  const known = asks.get(pod);
  if (known !== undefined) return known;
  const { requests, hostPorts } = pod;
  const ask: Ask = {
    milliCpu: amountIn(requests, 'cpu'),
    memoryBytes: amountIn(requests, 'memory'),
    others: Object.keys(requests)
      .filter((name) => name !== 'cpu' && name !== 'memory' && amountIn(requests, name) > 0)
      .map((name) => [name, amountIn(requests, name)]),
    ports: hostPorts,
  };
  asks.set(pod, ask);
  return ask;
};

/** The least of CPU and of memory that any of these asks for. */
export type SmallestAsk = Pick<Ask, 'milliCpu' | 'memoryBytes'>;

export const smallestAsk = (all: readonly Ask[]): SmallestAsk =>
  all.reduce<SmallestAsk>(
    (least, { milliCpu, memoryBytes }) => ({
      milliCpu: Math.min(least.milliCpu, milliCpu),
      memoryBytes: Math.min(least.memoryBytes, memoryBytes),
    }),
    { milliCpu: Number.POSITIVE_INFINITY, memoryBytes: Number.POSITIVE_INFINITY },
  );

/** Whether none of those who ask for that much or more fits any more. */
export const isSpent = (room: Room, least: SmallestAsk): boolean =>
  room.pods < 1 ||
  (least.milliCpu > 0 && room.milliCpu < least.milliCpu) ||
  (least.memoryBytes > 0 && room.memoryBytes < least.memoryBytes);

/** The room that is sure on a new node, of nodes that carry their DaemonSet pods. */
export const sureRoom = (nodes: readonly SchedulingNode[]): Room => {
  const [first = {}, ...rest] = nodes.map(freeOf);
  const { pods = 0, cpu = 0, memory = 0, ...others } = rest.reduce(minResources, first);
  return {
    pods,
    milliCpu: cpu,
    memoryBytes: memory,
    others: new Map(Object.entries(others)),
    ports: nodes.flatMap((node) => node.hostPorts),
  };
};

const freeOf = (node: SchedulingNode): Resources =>
  subtractResources(node.allocatable, {
    ...Object.fromEntries(node.requested),
    pods: node.podCount,
  });

export const copyRoom = (room: Room): Room => ({ ...room, others: new Map(room.others) });

/** How many pods that ask alike the room takes, up to `wanted`. */
export const countThatFits = (ask: Ask, room: Room, wanted: number): number => {
  if (room.pods < 1 || wanted < 1) return 0;
  let count = Math.min(wanted, room.pods);
  if (ask.milliCpu > 0) {
    if (ask.milliCpu > room.milliCpu) return 0;
    count = Math.min(count, Math.floor(room.milliCpu / ask.milliCpu));
  }
  if (ask.memoryBytes > 0) {
    if (ask.memoryBytes > room.memoryBytes) return 0;
    count = Math.min(count, Math.floor(room.memoryBytes / ask.memoryBytes));
  }
  for (const [resource, amount] of ask.others) {
    count = Math.min(count, Math.floor((room.others.get(resource) ?? 0) / amount));
    if (count <= 0) return 0;
  }
  if (ask.ports.length === 0) return count;
  const taken = ask.ports.some((port) => room.ports.some((other) => portsCollide(port, other)));
  return taken ? 0 : 1;
};

/** Puts pods that ask alike into the room, whether they fit or not. */
export const takeRoom = (ask: Ask, room: Room, count: number): void => {
  room.pods -= count;
  room.milliCpu -= ask.milliCpu * count;
  room.memoryBytes -= ask.memoryBytes * count;
  for (const [resource, amount] of ask.others) {
    room.others.set(resource, (room.others.get(resource) ?? 0) - amount * count);
  }
  if (ask.ports.length > 0) room.ports = [...room.ports, ...ask.ports];
};
