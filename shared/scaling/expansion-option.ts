import { setOwn } from '#cluster/own-record.ts';
import { amountIn, heldAmount, type Resources } from '#cluster/resources.ts';
import type { Trials } from '#scheduling/trials.ts';
import type { GroupState } from './group-state.ts';
import type { Demand } from './placement.ts';
import { copyRoom, countThatFits, isSpent, type Room, smallestAsk, takeRoom } from './room.ts';

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
 * where it helps none. Every one of them must fit an empty node, so that every node counted has a pod.
 * Where its trials are used up, it is an option for the pods looked at so far.
 */
export const expansionOption = (
  state: GroupState,
  demands: readonly Demand[],
  { limit, trials }: { readonly limit: number; readonly trials: Trials },
): ExpansionOption | undefined => {
  const smallest = smallestAsk(demands.map(({ podClass }) => podClass.ask));
  let open: Room[] = [];
  let nodes = 0;
  const requested: Record<string, number> = {};
  let helped = 0;
  for (const { podClass, pods } of demands) {
    if (trials.left <= 0 || (nodes >= limit && open.length === 0)) break;
    const { ask } = podClass;
    let left = pods.length;
    let closed = 0;
    for (let index = 0; left > 0; index += 1) {
      let room = open[index];
      if (room === undefined) {
        if (nodes >= limit) break;
        room = copyRoom(state.room);
        open.push(room);
        nodes += 1;
      }
      trials.left -= 1;
      const count = countThatFits(ask, room, left);
      if (count === 0) continue;
      takeRoom(ask, room, count);
      if (isSpent(room, smallest)) closed += 1;
      left -= count;
    }
    if (closed > 0) open = open.filter((room) => !isSpent(room, smallest));
    const count = pods.length - left;
    if (count === 0) continue;
    helped += count;
    for (const [name, amount] of Object.entries(podClass.sample.requests)) {
      setOwn(requested, name, heldAmount(amountIn(requested, name) + amount * count));
    }
  }
  return helped === 0
    ? undefined
    : { group: state.group.name, nodes, pods: helped, requested, capacity: state.capacity };
};
