import { type Trials, unlimitedTrials } from '#scheduling/trials.ts';
import type { Choosing } from '../choosing/choosing.ts';
import type { Choice } from '../choosing/expander.ts';
import type { GroupState } from '../group-state.ts';
import type { ExpanderName } from '../policy.ts';
import { evenNodes } from './even-nodes.ts';
import type { ExpansionOption } from './expansion-option.ts';
import { optionCache } from './option-cache.ts';
import { type Placed, type Places, placePods, type Spot, takeAway } from './place-pods.ts';
import type { ExpectedNode, PlannedWorld } from './planned-world.ts';
import { type Demand, podsIn } from './pod-class.ts';

export interface AddingQuestion {
  readonly groups: readonly GroupState[];
  readonly world: PlannedWorld;
  /** What is to be placed on expected nodes, old and new. */
  readonly demands: readonly Demand[];
  /** How they are placed, but for the nodes. */
  readonly beside: Places;
  readonly choosing: Choosing;
  readonly trials: Trials;
}

/** Why a group was first chosen. */
export interface ChosenFor {
  readonly expanders: readonly ExpanderName[];
  /** How a tie was broken; may be empty. */
  readonly tie: string;
  /** Similar groups, itself among them, that the nodes were shared out among; empty where they were not. */
  readonly sharedWith: readonly string[];
}

export interface Added {
  readonly placed: Placed;
  /** Nodes added by group; groups that get none are not in it. */
  readonly added: ReadonlyMap<string, number>;
  /** By group, of those that got nodes. */
  readonly chosenFor: ReadonlyMap<string, ChosenFor>;
  /** The trials did not suffice to look at everything to the end. */
  readonly cutShort: boolean;
}

/** Taking unused nodes away may open a way that is better: so often it is looked for. */
const mostTurns = 3;

/**
 * As long as a group can help pods without a place, the expanders pick one, its nodes are added (to it and to similar
 * groups, where these are balanced), and all is placed anew from the start. What helps nobody in the end is undone.
 * `start` is what the world holds now, without any added node.
 */
export const addNodes = (start: Placed, question: AddingQuestion): Added => {
  const { groups, world, demands, beside, choosing, trials } = question;
  const { state } = world;
  const chosenFor = new Map<string, ChosenFor>();
  const inVain = new Set<string>();
  const optionsOf = optionCache(groups, { world, limits: choosing.limits });
  let added = new Map<string, number>();
  let placed = start;
  let cutShort = false;
  const place = (within: Trials): Placed =>
    placePods(demands, { ...beside, nodes: positionsOf(world.expected()) }, within);

  /** Adds one node of each of the groups in turn, unless more pods than `mostHomeless` are without a place then. */
  const tryAdding = (nodes: readonly GroupState[], mostHomeless: number): boolean => {
    const before = placed;
    takeAway(placed.spots, state);
    for (const group of nodes) world.add(group);
    const next = place(trials);
    const isCut = next.untried.length > 0;
    if (!isCut && podsIn(next.homeless) <= mostHomeless) {
      for (const { group } of nodes) added.set(group.name, (added.get(group.name) ?? 0) + 1);
      placed = next;
      // What helped nobody may do so beside the new nodes.
      inVain.clear();
      return true;
    }
    takeAway(next.spots, state);
    for (const _node of nodes) world.removeNewest();
    for (const { pod, node } of before.spots) state.place(pod, node);
    cutShort ||= isCut;
    return false;
  };

  /** The order in which so many nodes are shared out among similar groups; `undefined` where they are not. */
  const sharesOf = (
    nodes: number,
    { chosen, option }: { readonly chosen: GroupState; readonly option: ExpansionOption },
  ): readonly GroupState[] | undefined => {
    const shares = choosing.sharesOf({
      chosen,
      nodes,
      added,
      takes: (group) =>
        group === chosen || option.classes.every(({ sample }) => group.takes(sample)),
    });
    const isMoved = shares.some(({ group }) => group.name !== option.group);
    return isMoved && shares.length === nodes ? shares : undefined;
  };

  /**
   * Shares the nodes out among similar groups; false where they are not, or help fewer pods there. Pods that spread
   * over zones may need as many in each group: what is not used is dropped in the end.
   */
  const tryBalanced = (chosen: GroupState, choice: Choice): boolean => {
    const { option } = choice;
    const mostHomeless = podsIn(placed.homeless) - option.pods;
    let shares = sharesOf(option.nodes, { chosen, option });
    if (shares === undefined) return false;
    if (!tryAdding(shares, mostHomeless)) {
      const sharers = new Set(shares).size;
      const even = Math.ceil(option.nodes / sharers) * sharers;
      if (even === option.nodes || !option.classes.some(({ mayChange }) => mayChange)) return false;
      shares = sharesOf(even, { chosen, option });
      if (shares === undefined || !tryAdding(shares, mostHomeless)) return false;
    }
    const names = [...new Set(shares.map(({ group }) => group.name))];
    const { expanders } = choice;
    const sharedWith = names.length > 1 ? names.sort() : [];
    const tie = names.length > 1 ? '' : `smallest of the groups like it`;
    for (const name of names) {
      if (!chosenFor.has(name)) chosenFor.set(name, { expanders, tie, sharedWith });
    }
    return true;
  };

  /** Adds nodes in each domain for pods that spread over several. */
  const addEvenly = (): void => {
    for (const { podClass } of placed.homeless) {
      const demand = placed.homeless.find((one) => one.podClass === podClass);
      const even = demand && evenNodes(demand, added, question);
      if (even === undefined || !tryAdding(even.nodes, podsIn(placed.homeless) - 1)) continue;
      const names = [...new Set(even.nodes.map(({ group }) => group.name))].sort();
      const { expanders } = even.choice;
      for (const name of names) {
        if (!chosenFor.has(name)) chosenFor.set(name, { expanders, tie: '', sharedWith: names });
      }
    }
  };

  /** Adds nodes of the group the expanders choose; false where no group helps. */
  const step = (): boolean => {
    const round = optionsOf({ homeless: placed.homeless, added, trials });
    cutShort = round.cutShort;
    const choice = choosing.choose(round.options.filter(({ group }) => !inVain.has(group)));
    const chosen = groups.find(({ group }) => group.name === choice?.option.group);
    if (choice === undefined || chosen === undefined) return false;
    if (tryBalanced(chosen, choice)) return true;
    const nodes = Array.from({ length: choice.option.nodes }, () => chosen);
    const { name } = chosen.group;
    if (!tryAdding(nodes, podsIn(placed.homeless) - 1)) {
      inVain.add(name);
      return trials.left > 0;
    }
    const { expanders, tie } = choice;
    if (!chosenFor.has(name)) chosenFor.set(name, { expanders, tie, sharedWith: [] });
    return true;
  };

  /** Takes nodes away that got no pod in the end; one whose zone alone lets others balance stays. */
  const dropUnused = (): boolean => {
    const needed = upToTheLastUsed(placed.spots, world.expected());
    if (sumOf(needed) === sumOf(added)) return false;
    const before = placed;
    takeAway(placed.spots, state);
    world.plan(needed);
    placed = place(unlimitedTrials());
    if (podsIn(placed.homeless) <= podsIn(before.homeless)) {
      added = needed;
      return true;
    }
    takeAway(placed.spots, state);
    world.plan(added);
    placed = place(unlimitedTrials());
    return false;
  };

  addEvenly();
  for (let turn = 1; turn <= mostTurns; turn += 1) {
    while (placed.homeless.length > 0 && step());
    if (turn === mostTurns || !dropUnused()) break;
  }
  return { placed, added, chosenFor, cutShort };
};

export const positionsOf = (nodes: readonly ExpectedNode[]): readonly number[] =>
  nodes.map(({ node }) => node);

const sumOf = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);

/** Planned nodes of each group up to the last one that got a pod: AWS launches them in their order. */
const upToTheLastUsed = (
  spots: readonly Spot[],
  expected: readonly ExpectedNode[],
): Map<string, number> => {
  const used = new Set(spots.map(({ node }) => node));
  const counts = new Map<string, { nodes: number; needed: number }>();
  for (const { group, node, planned } of expected) {
    if (!planned) continue;
    const { nodes, needed } = counts.get(group) ?? { nodes: 0, needed: 0 };
    counts.set(group, { nodes: nodes + 1, needed: used.has(node) ? nodes + 1 : needed });
  }
  return new Map(
    [...counts].flatMap(([group, { needed }]) => (needed > 0 ? [[group, needed] as const] : [])),
  );
};
