import { compareText } from '#cluster/order.ts';

/** A group that may take a share of new nodes. */
export interface Sharer {
  readonly group: string;
  /** Its nodes by now, those on their way counted in. */
  readonly size: number;
  /** The most nodes that it may get. */
  readonly room: number;
}

/**
 * Names of groups in the order in which their nodes are added: each goes to the smallest group that has room, of
 * equals to the first by name, so that the sizes in the end are as even as they can be. Fewer than `nodes` where
 * there is no more room.
 */
export const shareOut = (nodes: number, sharers: readonly Sharer[]): readonly string[] => {
  const open = [...sharers]
    .sort((a, b) => compareText(a.group, b.group))
    .map(({ group, size, room }) => ({ group, size, room }));
  const order: string[] = [];
  while (order.length < nodes) {
    let smallest: (typeof open)[number] | undefined;
    for (const one of open) {
      if (one.room > 0 && (smallest === undefined || one.size < smallest.size)) smallest = one;
    }
    if (smallest === undefined) break;
    smallest.size += 1;
    smallest.room -= 1;
    order.push(smallest.group);
  }
  return order;
};
