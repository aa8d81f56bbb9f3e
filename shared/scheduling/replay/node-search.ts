import type { PassedNodes } from '../scores/score-plugin.ts';
import { withRoom } from '../state/growing.ts';
import type { FitQuestion, SchedulingState } from '../state/scheduling-state.ts';
import { type Trials, trialsOfFilters } from '../trials.ts';

/** The nodes that pass one class of pods, asked again only where the answer may have changed. */
export interface NodeSearch {
  /** Whether pods that come elsewhere may give the class a place on a node that refuses it now. */
  mayChange(): boolean;
  /** Judges nodes until the next pod comes or goes. */
  judge(trials: Trials): (node: number) => boolean;
}

const yes = 1;
const no = 2;

/** `mayTake`: which nodes are for the class at all, whatever filters say; it never changes. */
export function nodeSearch(
  state: SchedulingState,
  question: FitQuestion,
  mayTake: (node: number) => boolean = () => true,
): NodeSearch {
  /** The version of the node that was judged; negative where it refuses. */
  let judged = new Float64Array(0);
  let fit = new Uint8Array(0);
  /** What never changes. */
  const isFor = (node: number): boolean => {
    const before = fit[node];
    if (before === yes || before === no) return before === yes;
    const answer = question.suits(node) && mayTake(node);
    fit = withRoom(fit, node + 1);
    fit[node] = answer ? yes : no;
    return answer;
  };
  const ask = (node: number, trials: Trials): boolean => {
    trials.left -= trialsOfFilters;
    return question.passes(node);
  };
  const ofVersion = (node: number, trials: Trials): boolean => {
    const version = state.versionOf(node);
    const before = judged[node] ?? 0;
    if (before === version) return true;
    if (before === -version) return false;
    const answer = ask(node, trials);
    judged = withRoom(judged, node + 1);
    judged[node] = answer ? version : -version;
    return answer;
  };
  return {
    mayChange: question.looksElsewhere,
    judge: (trials) =>
      question.looksElsewhere()
        ? (node) => isFor(node) && ask(node, trials)
        : (node) => isFor(node) && ofVersion(node, trials),
  };
}

/** Nodes in the order of looking, and where the next look starts. */
export interface LookingOrder {
  readonly nodes: Int32Array;
  /** How many that pass are enough. */
  readonly enough: number;
  start: number;
}

/** The list is used anew by the next search. */
export interface FoundNodes extends PassedNodes {
  list: Int32Array;
  count: number;
}

/**
 * Looks for enough nodes that pass, from where the search before left off, as kube-scheduler does so that
 * all nodes have their turn. (It looks at some nodes at a time, and may thus go a little further.)
 */
export function findPassing(
  search: NodeSearch,
  { order, found }: { readonly order: LookingOrder; readonly found: FoundNodes },
  trials: Trials,
): void {
  const { nodes, enough } = order;
  found.list = withRoom(found.list, enough);
  found.count = 0;
  const passes = search.judge(trials);
  let looked = 0;
  let at = order.start;
  for (; looked < nodes.length && found.count < enough; looked += 1) {
    const node = nodes[at] ?? -1;
    at = at + 1 === nodes.length ? 0 : at + 1;
    if (!passes(node)) continue;
    found.list[found.count] = node;
    found.count += 1;
  }
  trials.left -= looked;
  order.start = nodes.length === 0 ? 0 : at;
}
