import type { PodView } from '#cluster/snapshot.ts';
import { type Course, courses, type Followed, followed } from '#scheduling/replay/followed.ts';
import type { StatePod } from '#scheduling/state/scheduling-state.ts';
import { type Trials, trialsOfFilters, unlimitedTrials, withShare } from '#scheduling/trials.ts';
import { type Added, type AddingQuestion, positionsOf } from './add-nodes.ts';
import { type Growth, growFor } from './grow-for.ts';
import { type Placed, type Places, placePods, takeAway } from './place-pods.ts';
import type { PlannedWorld } from './planned-world.ts';
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

/**
 * Groups are raised here, and pods are bound by the cluster's scheduler, in its own order and by its own scores: what
 * fits in a better order need not fit in that one. The proposal is replayed in a few courses, and nodes are added
 * until the worst of them leaves no pod, or more nodes do not help. Where the trials do not suffice to replay it the
 * proposal stands.
 */
export const followPlan = (proposal: Added, question: AddingQuestion): FollowedPlan => {
  const { world, demands, trials } = question;
  const asProposed: FollowedPlan = { ...proposal, extra: new Map(), mayStay: [] };
  if (proposal.added.size === 0 || isForegone(proposal.placed, demands)) return asProposed;
  if (trialsToReplay(question, courses) * 2 > trials.left) return asProposed;
  const { state } = world;
  const replay = (): Followed<PodView> =>
    withShare(trials, 2, (within) => replayed(demands, question, { trials: within }));

  takeAway(proposal.placed.spots, state);
  // As the next look will find them, when they are on their way.
  world.plan(proposal.added);
  let plan: Growth = proposal;
  let course = replay();
  if (course.untried.length > 0) {
    return { ...asProposed, placed: placedAnew(question) };
  }
  for (let round = 1; course.pending.length > 0 && round <= mostRounds; round += 1) {
    const grown = growFor(course, plan, question);
    if (grown === undefined) break;
    world.plan(grown.added);
    const next = replay();
    if (next.untried.length > 0 || next.pending.length >= course.pending.length) {
      world.plan(plan.added);
      break;
    }
    plan = grown;
    course = next;
  }
  const placed = asPlaced(course, demands, world);
  const extra = lessThan(plan.added, proposal.added);
  const { cutShort } = proposal;
  if (podsIn(placed.homeless) <= podsIn(proposal.placed.homeless)) {
    return { ...grownTo(plan), placed, cutShort, extra, mayStay: [] };
  }
  takeAway(placed.spots, state);
  const packed = placedAnew(question);
  const stuck = new Set(packed.homeless.flatMap(({ pods }) => pods));
  const mayStay = course.pending.filter((pod) => !stuck.has(pod));
  return { ...grownTo(plan), placed: packed, cutShort, extra, mayStay };
};

/** As the proposal placed them: the trials sufficed for that before. */
const placedAnew = ({ world, demands, beside }: AddingQuestion): Placed =>
  placePods(demands, { ...beside, nodes: positionsOf(world.expected()) }, unlimitedTrials());

/**
 * The first of the courses in which the scheduler would place the pods on the nodes there are and on their way, with
 * what is placed so far left as it is.
 */
export const firstCourse = (question: AddingQuestion): Placed | undefined => {
  const { world, demands, trials } = question;
  const first = courses.slice(0, 1);
  const course = withShare(trials, 4, (within) =>
    trialsToReplay(question, first) > within.left
      ? undefined
      : replayed(demands, question, { trials: within, courses: first }),
  );
  return course === undefined || course.untried.length > 0
    ? undefined
    : asPlaced(course, demands, world);
};

/** About what it takes, so that none are spent on a replay that comes to no end. */
const trialsToReplay = (
  { world, demands, beside }: AddingQuestion,
  { length }: readonly Course[],
): number => {
  const nodes = world.expected().length + existingFor(demands, beside).length;
  return length * nodes * (podsIn(demands) + demands.length * trialsOfFilters);
};

const replayed = (
  demands: readonly Demand[],
  { world, beside }: Pick<AddingQuestion, 'world' | 'beside'>,
  how: { readonly trials: Trials; readonly courses?: readonly Course[] },
): Followed<PodView> => {
  const classes = new Map<StatePod, Demand['podClass']>();
  for (const { podClass, pods } of demands) for (const pod of pods) classes.set(pod, podClass);
  const { isSure = () => true } = beside;
  const existing = existingFor(demands, beside);
  const asked = new Set(existing);
  return followed({
    ...how,
    state: world.state,
    existing,
    coming: positionsOf(world.expected()),
    pods: demands.flatMap(({ pods }) => pods),
    mayTake: (pod, node) => {
      const podClass = classes.get(pod);
      if (podClass === undefined) return false;
      return asked.has(node) ? podClass.mayChange : isSure(podClass, node);
    },
  });
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
const isForegone = ({ homeless }: Placed, demands: readonly Demand[]): boolean => {
  const left = new Map(homeless.map(({ podClass, pods }) => [podClass, pods.length]));
  const placed = demands
    .filter(({ podClass, pods }) => pods.length > (left.get(podClass) ?? 0))
    .map(({ podClass }) => podClass);
  const [first] = placed;
  return placed.every(({ mayChange, question }) => !mayChange && question === first?.question);
};

const grownTo = ({ added, chosenFor }: Growth): Growth => ({ added, chosenFor });

const lessThan = (
  counts: ReadonlyMap<string, number>,
  others: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> =>
  new Map(
    [...counts]
      .map(([group, count]) => [group, count - (others.get(group) ?? 0)] as const)
      .filter(([, count]) => count > 0),
  );
