import { createDice } from '../packing/dice.ts';
import type { SchedulingState } from '../state/scheduling-state.ts';
import { type Trials, unlimitedTrials } from '../trials.ts';
import { inQueueOrder, type QueuedPod } from './queue-order.ts';
import { type Binding, type MayTake, scheduler, undo } from './replay.ts';
import type { Ties } from './tie-break.ts';

/** One way in which it may go: what a plan does not decide. */
export interface Course {
  readonly ties: Ties;
  /**
   * Whether nodes that are to come are there before the first pod is tried, or each (of very many: some) takes what
   * it can before the next comes: in their order or a drawn one.
   */
  readonly arrival: 'together' | 'inTurn' | 'drawn';
  /** Pods of one priority by their age, or as they come when each has waited for a while of its own before another try. */
  readonly queue: 'byAge' | 'drawn';
  /** Of all that is drawn. Default 0. */
  readonly seed?: number;
}

/** Chosen to be unlike one another; a plan that each of them follows is seldom left by the real scheduler. */
export const courses: readonly Course[] = [
  { ties: 'lowest', arrival: 'together', queue: 'byAge' },
  { ties: 'drawn', arrival: 'together', queue: 'drawn' },
  { ties: 'lowest', arrival: 'inTurn', queue: 'byAge' },
  { ties: 'drawn', arrival: 'inTurn', queue: 'drawn' },
];

/**
 * Many more of them, for plans that are small enough: which pod is left where a plan has no room to spare hangs
 * on the draw, and one draw shows little of that.
 */
export const manyCourses: readonly Course[] = [
  ...courses,
  ...Array.from({ length: 12 }, (_, index): Course => {
    const arrival = (['together', 'drawn', 'drawn'] as const)[index % 3] ?? 'drawn';
    return { ties: 'drawn', arrival, queue: 'drawn', seed: index + 1 };
  }),
];

export interface PlanToFollow<Pod> {
  /** All nodes of the plan with all that runs on them, and none of the pods. It is left as it was. */
  readonly state: SchedulingState;
  /** Positions of the nodes that take pods now. */
  readonly existing: readonly number[];
  /** Positions of those on their way and of new ones, the first to come first. */
  readonly coming: readonly number[];
  /** Pods that wait for a node, in any order. */
  readonly pods: readonly Pod[];
  /** Default: `courses`. */
  readonly courses?: readonly Course[];
  readonly trials?: Trials;
  /** Which nodes are for a pod and those of its class at all, whatever filters say. Absent: every node. */
  readonly mayTake?: MayTake;
  /** Only whether each course places all is asked: after one that does not no other is played. */
  readonly untilOneLeaves?: boolean;
}

export interface Followed<Pod> {
  /** The course in which most pods stay Pending; the first of those. */
  readonly worst: Course;
  /** Pods that stay Pending in it: in the order of the queue. Empty: every course places all. */
  readonly pending: readonly Pod[];
  readonly bound: readonly Binding<Pod>[];
  /** Pods that the trials did not suffice for, in some course. */
  readonly untried: readonly Pod[];
}

/**
 * Whether the cluster's own scheduler can follow a plan: plays it in a few courses and tells the worst.
 * Each course has its share of the trials.
 */
export function followed<Pod extends QueuedPod>(plan: PlanToFollow<Pod>): Followed<Pod> {
  const { trials = unlimitedTrials() } = plan;
  const byAge = plan.pods.toSorted(inQueueOrder);
  const choices = plan.courses ?? courses;
  const outcomes: Followed<Pod>[] = [];
  for (const [index, course] of choices.entries()) {
    const within = { left: trials.left / (choices.length - index) };
    const before = within.left;
    const queue = course.queue === 'drawn' ? drawnInPriority(byAge, course.seed) : byAge;
    const outcome = play(plan, queue, { course, trials: within });
    if (Number.isFinite(before)) trials.left -= before - within.left;
    outcomes.push(outcome);
    if (plan.untilOneLeaves && outcome.pending.length + outcome.untried.length > 0) break;
  }
  const [first, ...others] = outcomes;
  if (first === undefined) throw new RangeError('a plan is followed in at least one course');
  return others.reduce(worse, first);
}

/** An order that looks random and is the same each time. */
function shuffled<Item>(items: readonly Item[], seed?: number): Item[] {
  const dice = createDice(seed);
  return items
    .map((item) => ({ item, draw: dice.roll(2 ** 31) }))
    .sort((a, b) => a.draw - b.draw)
    .map(({ item }) => item);
}

/** Pods of one priority in a drawn order. */
const drawnInPriority = <Pod extends QueuedPod>(queue: readonly Pod[], seed?: number) =>
  shuffled(queue, seed).sort((a, b) => (b.priority ?? 0) - (a.priority ?? 0));

const worse = <Pod>(a: Followed<Pod>, b: Followed<Pod>): Followed<Pod> =>
  b.pending.length + b.untried.length > a.pending.length + a.untried.length ? b : a;

function play<Pod extends QueuedPod>(
  { state, existing, coming, mayTake }: PlanToFollow<Pod>,
  queue: readonly Pod[],
  { course, trials }: { readonly course: Course; readonly trials: Trials },
): Followed<Pod> {
  const { ties, arrival, seed = 0 } = course;
  const arriving = arrival === 'drawn' ? shuffled(coming, seed) : coming;
  const nodes = arrival === 'together' ? [...existing, ...coming] : existing;
  const one = scheduler(state, { nodes, ties, seed, trials, ...(mayTake && { mayTake }) });
  const first = one.run(queue);
  const bound = [...first.bound];
  let { pending, untried } = first;
  for (const some of arrival === 'together' ? [] : turnsOf(arriving)) {
    if (pending.length === 0 || untried.length > 0) break;
    one.join(some);
    const more = one.run(pending);
    for (const binding of more.bound) bound.push(binding);
    ({ pending, untried } = more);
  }
  undo(state, bound);
  return { worst: course, pending, bound, untried };
}

/** Where many nodes come, some of them come at once. */
const mostTurns = 50;

function turnsOf(coming: readonly number[]): readonly (readonly number[])[] {
  const size = Math.ceil(coming.length / mostTurns);
  const turns: (readonly number[])[] = [];
  for (let at = 0; at < coming.length; at += size) turns.push(coming.slice(at, at + size));
  return turns;
}
