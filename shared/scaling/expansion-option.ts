import { addResources, amountIn, type Resources } from '#cluster/resources.ts';
import type { GroupState } from './group-state.ts';
import type { Demand } from './placement.ts';
import { copyRoom, countThatFits, type Room, takeRoom } from './room.ts';

/** What one group could do for the pods that have no place. */
export interface ExpansionOption {
  readonly group: string;
  readonly nodes: number;
  readonly pods: number;
  /** Sum of the helped pods' requests. */
  readonly requested: Resources;
  /** Capacity of one new node. */
  readonly capacity: Resources;
}

/**
 * Packs the homeless pods, in their order, on at most `limit` new nodes of the group; `undefined`
 * where it helps none. A pod that an empty node cannot take opens none, so that every node counted
 * has a pod.
 */
export const expansionOption = (
  state: GroupState,
  demands: readonly Demand[],
  limit: number,
): ExpansionOption | undefined => {
  if (limit <= 0) return undefined;
  const rooms: Room[] = [];
  let requested: Resources = {};
  let helped = 0;
  for (const { podClass, pods } of demands) {
    const { sample } = podClass;
    if (!state.takesWhenEmpty(sample)) continue;
    let left = pods.length;
    for (let index = 0; left > 0 && index < limit; index += 1) {
      const room = rooms[index] ?? copyRoom(state.room);
      const count = countThatFits(sample, room, left);
      if (count === 0) continue;
      rooms[index] = room;
      takeRoom(sample, room, count);
      left -= count;
    }
    const count = pods.length - left;
    helped += count;
    requested = addResources(requested, times(sample.requests, count));
  }
  return helped === 0
    ? undefined
    : {
        group: state.group.name,
        nodes: rooms.length,
        pods: helped,
        requested,
        capacity: state.capacity,
      };
};

const times = (requests: Resources, count: number): Resources =>
  Object.fromEntries(Object.keys(requests).map((name) => [name, amountIn(requests, name) * count]));
