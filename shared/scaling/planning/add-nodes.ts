import { type Trials, unlimitedTrials } from '#scheduling/trials.ts';
import { leastWaste } from '../expander.ts';
import type { GroupState } from '../group-state.ts';
import { optionCache } from './option-cache.ts';
import { type Placed, type Places, placePods, type Spot, takeAway } from './place-pods.ts';
import type { ExpectedNode, PlannedWorld } from './planned-world.ts';
import type { Demand } from './pod-class.ts';

export interface AddingQuestion {
  readonly groups: readonly GroupState[];
  readonly world: PlannedWorld;
  /** What is to be placed on expected nodes, old and new. */
  readonly demands: readonly Demand[];
  /** How they are placed, but for the nodes. */
  readonly beside: Places;
  readonly trials: Trials;
}

export interface Added {
  readonly placed: Placed;
  /** Nodes added by group; groups that get none are not in it. */
  readonly added: ReadonlyMap<string, number>;
  /** How the expander broke the tie in which each group was first chosen; may be empty. */
  readonly ties: ReadonlyMap<string, string>;
  /** The trials did not suffice to look at everything to the end. */
  readonly cutShort: boolean;
}

/** Taking unused nodes away may open a way that is better: so often it is looked for. */
const mostTurns = 3;

/**
 * As long as a group can help pods without a place, the expander picks one, its nodes are added, and all is placed
 * anew from the start. What helps nobody in the end is undone. `start` is what the world holds now, without any
 * added node.
 */
export const addNodes = (start: Placed, question: AddingQuestion): Added => {
  const { groups, world, demands, beside, trials } = question;
  const { state } = world;
  const ties = new Map<string, string>();
  const inVain = new Set<string>();
  const optionsOf = optionCache(groups, world);
  let added = new Map<string, number>();
  let placed = start;
  let cutShort = false;
  const place = (within: Trials): Placed =>
    placePods(demands, { ...beside, nodes: positionsOf(world.expected()) }, within);

  /** Adds nodes of the group the expander chooses; false where no group helps. */
  const step = (): boolean => {
    const round = optionsOf({ homeless: placed.homeless, added, trials });
    cutShort = round.cutShort;
    const choice = leastWaste(round.options.filter(({ group }) => !inVain.has(group)));
    const chosen = groups.find(({ group }) => group.name === choice?.option.group);
    if (choice === undefined || chosen === undefined) return false;
    const { name } = chosen.group;
    takeAway(placed.spots, state);
    for (let index = 0; index < choice.option.nodes; index += 1) world.add(chosen);
    const next = place(trials);
    const isCut = next.untried.length > 0;
    if (isCut || podsOf(next.homeless) >= podsOf(placed.homeless)) {
      takeAway(next.spots, state);
      for (let index = 0; index < choice.option.nodes; index += 1) world.removeNewest();
      for (const { pod, node } of placed.spots) state.place(pod, node);
      cutShort ||= isCut;
      inVain.add(name);
      return !isCut;
    }
    added.set(name, (added.get(name) ?? 0) + choice.option.nodes);
    if (!ties.has(name)) ties.set(name, choice.tie);
    placed = next;
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
    if (podsOf(placed.homeless) <= podsOf(before.homeless)) {
      added = needed;
      return true;
    }
    takeAway(placed.spots, state);
    world.plan(added);
    placed = place(unlimitedTrials());
    return false;
  };

  for (let turn = 1; turn <= mostTurns; turn += 1) {
    while (placed.homeless.length > 0 && step());
    if (turn === mostTurns || !dropUnused()) break;
  }
  return { placed, added, ties, cutShort };
};

export const positionsOf = (nodes: readonly ExpectedNode[]): readonly number[] =>
  nodes.map(({ node }) => node);

const podsOf = (demands: readonly Demand[]): number =>
  demands.reduce((sum, { pods }) => sum + pods.length, 0);

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
