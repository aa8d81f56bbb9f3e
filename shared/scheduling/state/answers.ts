import { withRoom } from './growing.ts';

export type Judge = (node: number) => boolean;

const yes = 1;
const no = 2;

/**
 * Asks once for each index and remembers. The index names what the answer depends on: nodes of one
 * kind share it, so that thousands of nodes made from a template cost one question.
 */
export function remembered(indexOf: (node: number) => number, judge: Judge): Judge {
  let known = new Uint8Array(0);
  return (node) => {
    const index = indexOf(node);
    const before = index < known.length ? known[index] : 0;
    if (before === yes) return true;
    if (before === no) return false;
    const answer = judge(node);
    known = withRoom(known, index + 1);
    known[index] = answer ? yes : no;
    return answer;
  };
}

/** A question whose answer never changes while pods come and go. */
export interface StaticJudge {
  readonly judge: Judge;
  /** It looks at the node's own name or hostname label; otherwise nodes of one kind are alike to it. */
  readonly byName: boolean;
}

/** The index that a static question depends on. */
export interface NodeIndices {
  kindOf(node: number): number;
  identityOf(node: number): number;
}

export const rememberedFor = (nodes: NodeIndices, { judge, byName }: StaticJudge): Judge =>
  remembered(byName ? nodes.identityOf : nodes.kindOf, judge);
