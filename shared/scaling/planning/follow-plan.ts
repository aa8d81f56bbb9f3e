import type { PodView } from '#cluster/snapshot.ts';
import { courses, type Followed, followed, manyCourses } from '#scheduling/replay/followed.ts';
import type { StatePod } from '#scheduling/state/scheduling-state.ts';
import { trialsOfFilters, unlimitedTrials, withShare } from '#scheduling/trials.ts';
import type { GroupState } from '../group-state.ts';
import { type Added, type AddingQuestion, positionsOf } from './add-nodes.ts';
import { type Growth, growFor } from './grow-for.ts';
import { type Placed, type Places, placePods, takeAway } from './place-pods.ts';
import type { ExpectedNode, PlannedWorld } from './planned-world.ts';
import { type Demand, demandsOf, podsIn } from './pod-class.ts';

/** A plan that the cluster's scheduler was seen to follow. */
export interface FollowedPlan extends Added {
  /** Nodes added beyond the proposal, by group, so that the scheduler finds a place for every pod in its own order. */
  readonly extra: ReadonlyMap<string, number>;
  /** Pods with a place in the plan that the scheduler may leave Pending all the same. */
  readonly mayStay: readonly PodView[];
}

/** So often nodes are added for what the scheduler would leave. */
const mostRounds = 8;

/** So many times in a row without fewer pods left. */
const mostInVain = 3;

/**
 * Groups are raised here, and pods are bound by the cluster's scheduler, in its own order and by its own scores: what
 * fits in a better order need not fit in that one. The proposal is replayed in a few courses, and nodes are added
 * until the worst of them leaves no pod, or more nodes do not help. Where the trials do not suffice to replay it the
 * proposal stands.
 */
export const followPlan = (proposal: Added, question: AddingQuestion): FollowedPlan => {
  const { world, demands } = question;
  const asProposed: FollowedPlan = { ...proposal, extra: new Map(), mayStay: [] };
  if (proposal.added.size === 0 || isForegone(demands)) return asProposed;
  if (isTooMuch(question)) return asProposed;
  takeAway(proposal.placed.spots, world.state);
  // As the next look will find them, when they are on their way.
  world.plan(proposal.added);
  const grown = growUntilFollowed(proposal, question);
  if (grown === undefined) return { ...asProposed, placed: placedAnew(question) };
  const outcome = trimmed(grown, proposal, question);
  const extra = lessThan(outcome.added, proposal.added);
  return { ...finished(outcome, proposal.placed, question), cutShort: proposal.cutShort, extra };
};

/**
 * The plan that adds nothing, where the scheduler leaves no pod on nodes that are on their way, or none that a new
 * node takes: they may have been added for its order, and first fit in the order of planning may leave more.
 * `undefined`, and the world as it was, where nodes would help or the trials do not suffice to say.
 */
export const planWithoutMore = (
  start: Placed,
  question: AddingQuestion,
): FollowedPlan | undefined => {
  const { world } = question;
  if (start.homeless.length === 0 || world.expected().length === 0) return undefined;
  if (isTooMuch(question)) return undefined;
  takeAway(start.spots, world.state);
  const course = replayed(question);
  const plan: Growth = { added: new Map(), chosenFor: new Map() };
  if (course.untried.length === 0 && growFor(course, plan, question) === undefined) {
    const outcome = { ...plan, course };
    return { ...finished(outcome, start, question), cutShort: false, extra: new Map() };
  }
  world.plan(plan.added);
  for (const { pod, node } of start.spots) world.state.place(pod, node);
  return undefined;
};

interface Outcome extends Growth {
  readonly course: Followed<PodView>;
}

/** The world holds the nodes in the end, and none of the pods; `undefined` where the trials did not suffice. */
const growUntilFollowed = (
  { added, chosenFor }: Growth,
  question: AddingQuestion,
): Outcome | undefined => {
  const { world } = question;
  const course = replayed(question);
  if (course.untried.length > 0) return undefined;
  let best: Outcome = { added, chosenFor, course };
  let last = best;
  let inVain = 0;
  for (let round = 1; best.course.pending.length > 0 && round <= mostRounds; round += 1) {
    const grown = growFor(last.course, last, question);
    if (grown === undefined) break;
    world.plan(grown.added);
    // With a node for each pod it is not the room that they lack.
    if (world.expected().length > podsIn(question.demands)) break;
    last = { ...grown, course: replayed(question) };
    if (last.course.untried.length > 0) break;
    const isBetter = last.course.pending.length < best.course.pending.length;
    if (isBetter) best = last;
    // On a new node the scheduler may put others first; the one after it may be left.
    inVain = isBetter ? 0 : inVain + 1;
    if (inVain === mostInVain) break;
  }
  world.plan(best.added);
  return best;
};

/**
 * What is added for pods left Pending holds them on nodes of their own; often fewer do, as others fill the gaps.
 * As few of them as place every pod are looked for by halving.
 */
const trimmed = (outcome: Outcome, proposal: Growth, question: AddingQuestion): Outcome => {
  if (outcome.course.pending.length > 0) return outcome;
  const { groups, world } = question;
  const extra = inTurn(groups, lessThan(outcome.added, proposal.added));
  let [tooFew, enough, best] = [0, extra.length, outcome];
  while (enough - tooFew > 1) {
    const count = Math.floor((tooFew + enough) / 2);
    const added = new Map(proposal.added);
    for (const name of extra.slice(0, count)) added.set(name, (added.get(name) ?? 0) + 1);
    world.plan(added);
    const course = replayed(question, true);
    if (course.pending.length + course.untried.length > 0) tooFew = count;
    else [enough, best] = [count, { added, chosenFor: outcome.chosenFor, course }];
  }
  world.plan(best.added);
  return best;
};

/** One of each group after the other. */
const inTurn = (
  groups: readonly GroupState[],
  counts: ReadonlyMap<string, number>,
): readonly string[] => {
  const most = Math.max(0, ...counts.values());
  return Array.from({ length: most }, (_, turn) =>
    groups.map(({ group }) => group.name).filter((name) => turn < (counts.get(name) ?? 0)),
  ).flat();
};

/** Pods are where the worst course has them, unless first fit leaves fewer than that: the scheduler may leave more then. */
const finished = (
  { added, chosenFor, course }: Outcome,
  fitted: Placed,
  question: AddingQuestion,
): Omit<FollowedPlan, 'cutShort' | 'extra'> => {
  const { world, demands } = question;
  const placed = asPlaced(course, demands, world);
  if (podsIn(placed.homeless) <= podsIn(fitted.homeless)) {
    return { added, chosenFor, placed, mayStay: [] };
  }
  takeAway(placed.spots, world.state);
  const packed = placedAnew(question);
  const stuck = new Set(packed.homeless.flatMap(({ pods }) => pods));
  const mayStay = course.pending.filter((pod) => !stuck.has(pod));
  return { added, chosenFor, placed: packed, mayStay };
};

/** As the proposal placed them: the trials sufficed for that before. */
const placedAnew = ({ world, demands, beside }: AddingQuestion): Placed =>
  placePods(demands, { ...beside, nodes: positionsOf(world.expected()) }, unlimitedTrials());

/** So that no trials are spent on replays that come to no end. */
const isTooMuch = (question: AddingQuestion): boolean =>
  courses.length * trialsOfCourse(question) > question.trials.left;

/** So many trials at most are meant for one replay in many courses. */
const trialsForMany = 1_000_000;

const isSmall = (question: AddingQuestion): boolean =>
  manyCourses.length * trialsOfCourse(question) <=
  Math.min(trialsForMany, question.trials.left / 4);

const trialsOfCourse = ({ world, demands, beside }: AddingQuestion): number => {
  const nodes = world.expected().length + existingFor(demands, beside).length;
  const perNode = podsIn(demands) + demands.length * trialsOfFilters;
  return nodes * perNode * 2;
};

const replayed = (question: AddingQuestion, untilOneLeaves = false): Followed<PodView> => {
  const { world, demands, beside, trials } = question;
  const classes = new Map<StatePod, Demand['podClass']>();
  for (const { podClass, pods } of demands) for (const pod of pods) classes.set(pod, podClass);
  const { isSure = () => true } = beside;
  const existing = existingFor(demands, beside);
  const asked = new Set(existing);
  return withShare(trials, 2, (within) =>
    followed({
      trials: within,
      untilOneLeaves,
      courses: isSmall(question) ? manyCourses : courses,
      state: world.state,
      existing,
      coming: inOrderOfArrival(world.expected()),
      pods: demands.flatMap(({ pods }) => pods),
      mayTake: (pod, node) => {
        const podClass = classes.get(pod);
        if (podClass === undefined) return false;
        return asked.has(node) ? podClass.mayChange : isSure(podClass, node);
      },
    }),
  );
};

/** Groups launch side by side: the first of each, then the second of each. */
const inOrderOfArrival = (nodes: readonly ExpectedNode[]): readonly number[] => {
  const before = new Map<string, number>();
  const turns = nodes.map(({ group }) => {
    const turn = before.get(group) ?? 0;
    before.set(group, turn + 1);
    return turn;
  });
  return nodes
    .map(({ node }, index) => ({ node, turn: turns[index] ?? 0 }))
    .sort((a, b) => a.turn - b.turn)
    .map(({ node }) => node);
};

/** They have refused all pods but those that others may open a place for. */
const existingFor = (demands: readonly Demand[], { changed = [] }: Places): readonly number[] =>
  demands.some(({ podClass }) => podClass.mayChange) ? changed : [];

const asPlaced = (
  { bound, pending }: Followed<PodView>,
  demands: readonly Demand[],
  { state }: PlannedWorld,
): Placed => {
  for (const { pod, node } of bound) state.place(pod, node);
  const left = new Set(pending);
  return { spots: bound, homeless: demandsOf(demands, (pod) => left.has(pod)), untried: [] };
};

/** Pods that no filter tells apart fill every node alike, in whatever order they come. */
const isForegone = ([first, ...others]: readonly Demand[]): boolean =>
  first?.podClass.mayChange !== true &&
  others.every(({ podClass }) => podClass.question === first?.podClass.question);

const lessThan = (
  counts: ReadonlyMap<string, number>,
  others: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> =>
  new Map(
    [...counts]
      .map(([group, count]) => [group, count - (others.get(group) ?? 0)] as const)
      .filter(([, count]) => count > 0),
  );
