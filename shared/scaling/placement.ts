import type { PodView } from '#cluster/snapshot.ts';
import type { Trials } from '#scheduling/trials.ts';
import { isDaemonSetPod } from './candidates.ts';
import type { GroupState, NodeKind } from './group-state.ts';
import type { Occupancy } from './occupancy.ts';
import type { PodClass } from './pod-class.ts';
import {
  askOf,
  copyRoom,
  countThatFits,
  isSpent,
  type Room,
  smallestAsk,
  takeRoom,
} from './room.ts';

/** A node on its way or planned. */
export interface ExpectedNode {
  readonly name: string;
  readonly group: string;
  readonly kind: NodeKind;
  readonly room: Room;
  /** Added by this decision. */
  readonly planned: boolean;
}

/** So many pods of a class still to be placed: the last ones of it. */
export interface Demand {
  readonly podClass: PodClass;
  readonly pods: readonly PodView[];
}

export interface ExpectedPlacement {
  readonly pod: PodView;
  readonly node: ExpectedNode;
}

/**
 * The nodes that every group expects, group by group: those on their way, of which instances that are
 * there come first with the pods already bound to them, then so many planned ones.
 */
export const expectedNodesOf = (
  groups: readonly GroupState[],
  occupancy: Occupancy,
  planned: ReadonlyMap<string, number>,
): readonly ExpectedNode[] =>
  groups.flatMap((state) => {
    if (state.newNodes.length === 0) return [];
    const { count, starting } = state.coming;
    return Array.from({ length: count + (planned.get(state.group.name) ?? 0) }, (_, index) => {
      const instance = starting[index];
      const kind = instance === undefined ? state : state.kindOf(instance);
      const room = copyRoom(kind.room);
      const nodeName = instance && state.live.get(instance.id)?.node.name;
      for (const pod of occupancy.get(nodeName ?? '') ?? []) {
        if (!isDaemonSetPod(pod)) takeRoom(askOf(pod), room, 1);
      }
      return {
        name: `group/${state.group.name}/coming-${index + 1}`,
        group: state.group.name,
        kind,
        room,
        planned: index >= count,
      };
    });
  });

export interface Placed {
  readonly placements: readonly ExpectedPlacement[];
  readonly homeless: readonly Demand[];
  /** Classes whose turn did not come before the trials were used up: the last ones. */
  readonly untried: readonly Demand[];
}

/** First fit of every class, in order; the rooms fill up in place. */
export const placeOnExpected = (
  demands: readonly Demand[],
  nodes: readonly ExpectedNode[],
  trials: Trials,
): Placed => {
  const placements: ExpectedPlacement[] = [];
  const homeless: Demand[] = [];
  const smallest = smallestAsk(demands.map(({ podClass }) => podClass.ask));
  let open = nodes.filter(({ room }) => !isSpent(room, smallest));
  for (const [index, { podClass, pods }] of demands.entries()) {
    if (trials.left <= 0) return { placements, homeless, untried: demands.slice(index) };
    const { ask } = podClass;
    let next = 0;
    let closed = 0;
    let kind: NodeKind | undefined;
    let suits = false;
    for (const node of open) {
      if (next === pods.length) break;
      trials.left -= 1;
      if (node.kind !== kind) {
        kind = node.kind;
        suits = kind.takesWhenEmpty(podClass.sample);
      }
      if (!suits) continue;
      const count = countThatFits(ask, node.room, pods.length - next);
      if (count === 0) continue;
      takeRoom(ask, node.room, count);
      for (const pod of pods.slice(next, next + count)) placements.push({ pod, node });
      next += count;
      if (isSpent(node.room, smallest)) closed += 1;
    }
    if (closed > 0) open = open.filter(({ room }) => !isSpent(room, smallest));
    if (next < pods.length) homeless.push({ podClass, pods: pods.slice(next) });
  }
  return { placements, homeless, untried: [] };
};
