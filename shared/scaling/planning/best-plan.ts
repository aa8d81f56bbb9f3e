import { withShare } from '#scheduling/trials.ts';
import { type Added, type AddingQuestion, addNodes, positionsOf } from './add-nodes.ts';
import { type FollowedPlan, followPlan, planWithoutMore } from './follow-plan.ts';
import { packDemands } from './pack-demands.ts';
import { type Placed, placePods, takeAway } from './place-pods.ts';
import { podsIn } from './pod-class.ts';

export interface PlanningQuestion extends AddingQuestion {
  /** Whether the cluster's scheduler must be seen to follow the plan. */
  readonly replays: boolean;
  /** How many splits of two nodes may be tried to make a plan by price cheaper. */
  readonly packingTrials: number;
}

export const nothingAdded: Omit<FollowedPlan, 'placed'> = {
  added: new Map(),
  chosenFor: new Map(),
  cutShort: false,
  extra: new Map(),
  mayStay: [],
};

/**
 * The nodes to add to `start`, which the world holds now. Where the price decides first, a plan that packs the pods
 * on nodes of all groups at once competes with the one that adds groups one after the other: the one that leaves
 * fewer pods, then the cheaper one, is taken.
 */
export const bestPlan = (start: Placed, question: PlanningQuestion): FollowedPlan => {
  const { world, choosing } = question;
  const finish = (proposal: Added): FollowedPlan =>
    question.replays
      ? followPlan(proposal, question)
      : { ...proposal, extra: new Map(), mayStay: [] };
  const settled = question.replays ? planWithoutMore(start, question) : undefined;
  if (settled !== undefined) return settled;
  const packed =
    choosing.expanders[0] === 'price' && start.homeless.length > 0
      ? packedProposal(start, question)
      : undefined;
  if (packed === undefined) return finish(addNodes(start, question));

  const one = finish(packed);
  takeAway(one.placed.spots, world.state);
  world.plan(new Map());
  for (const { pod, node } of start.spots) world.state.place(pod, node);
  const other = finish(addNodes(start, question));
  if (!isBetter(one, other, question)) return other;
  takeAway(other.placed.spots, world.state);
  world.plan(one.added);
  for (const { pod, node } of one.placed.spots) world.state.place(pod, node);
  return one;
};

/** The world holds it in place of `start` then; `undefined`, and as it was, where no node is worth having. */
const packedProposal = (start: Placed, question: PlanningQuestion): Added | undefined => {
  const { groups, world, demands, beside, choosing, trials } = question;
  const wanted = packDemands({
    demands: start.homeless,
    groups,
    world,
    limitOf: (group) => choosing.limits.roomFor(group, new Map()),
    priceOf: choosing.priceOf,
    trials: question.packingTrials,
  });
  const added = new Map<string, number>();
  for (const group of groups) {
    for (let left = wanted.get(group.group.name) ?? 0; left > 0; left -= 1) {
      if (choosing.limits.roomFor(group, added) <= 0) break;
      added.set(group.group.name, (added.get(group.group.name) ?? 0) + 1);
    }
  }
  if (added.size === 0) return undefined;
  takeAway(start.spots, world.state);
  world.plan(added);
  const placed = withShare(trials, 4, (within) =>
    placePods(demands, { ...beside, nodes: positionsOf(world.expected()) }, within),
  );
  if (placed.untried.length > 0) {
    takeAway(placed.spots, world.state);
    world.plan(new Map());
    for (const { pod, node } of start.spots) world.state.place(pod, node);
    return undefined;
  }
  const { expanders } = choosing;
  const why = { expanders, tie: 'packed on nodes of all groups at once', sharedWith: [] };
  const chosenFor = new Map([...added.keys()].map((name) => [name, why]));
  return { placed, added, chosenFor, cutShort: false };
};

const isBetter = (
  one: FollowedPlan,
  other: FollowedPlan,
  { groups, choosing }: PlanningQuestion,
): boolean => {
  const left = ({ placed, mayStay }: FollowedPlan): number =>
    podsIn(placed.homeless) + mayStay.length;
  const priceOf = ({ added }: FollowedPlan): number =>
    groups
      .map((group) => ({ group, count: added.get(group.group.name) ?? 0 }))
      .filter(({ count }) => count > 0)
      .reduce((sum, { group, count }) => sum + count * (choosing.priceOf(group) ?? Infinity), 0);
  if (left(one) !== left(other)) return left(one) < left(other);
  return priceOf(one) < priceOf(other);
};
