import type { SchedulingState } from '../state/scheduling-state.ts';
import { answerOf } from './answer.ts';
import { type Bins, createBins } from './bins.ts';
import { type Bound, boundOf } from './bound.ts';
import { type Builder, createBuilder, type Step, type Wanted } from './build.ts';
import { improve } from './improve.ts';
import { type Problem, problemOf, weightsOf } from './problem.ts';
import type { PackingAnswer, PackingQuestion } from './question.ts';
import { settle } from './settle.ts';

/**
 * Which new nodes to get for the pods, and in which order all of them can be bound, to the nodes there are
 * as well. First those that keep each other away get their nodes; then each pod, the largest first, goes
 * where it makes the plan least dearer, a node being the cheapest offer that holds what is on it; then the
 * pods of two nodes at a time are split anew for as many trials as are given.
 *
 * Resources are counted here, in whole numbers; what else a filter looks at is asked of the state. The
 * answer does not depend on the order of kinds, offers or existing nodes.
 */
export function packNewNodes(question: PackingQuestion): PackingAnswer {
  const { state, kinds } = question;
  const existing = state.nodeCount;
  const problem = problemOf(question);
  const bound = boundOf(problem, createBins(problem, state));
  const plan = draftOf(problem, state, bound);
  const trials = improve({
    problem,
    bins: plan.bins,
    weights: weightsOf(problem),
    trials: question.trials,
    least: plan.missing > 0 ? 0 : bound.price,
  });
  const answer = answerOf({ problem, bins: plan.bins, steps: plan.steps, existing });
  const unplaced = kinds.map(({ count }) => Math.max(count, 0));
  for (const { kind, count } of answer.bindings) unplaced[kind] = (unplaced[kind] ?? 0) - count;
  return { ...answer, unplaced, trials, least: bound.price };
}

interface Draft {
  readonly bins: Bins;
  readonly steps: readonly Step[];
  readonly missing: number;
  readonly price: number;
}

/** How far above the bound, in hundredths, a plan may be before another way is tried. */
const farAbove = 3;

/** Nodes that grow with their pods; where that is dear, nodes got to be filled, if that is better. */
function draftOf(problem: Problem, state: SchedulingState, bound: Bound): Draft {
  const growing = draft(problem, state);
  if (growing.price * 100 <= bound.price * (100 + farAbove)) return growing;
  const filled = draft(problem, state, bound.worth);
  if (filled.missing !== growing.missing) {
    return filled.missing < growing.missing ? filled : growing;
  }
  return filled.price < growing.price ? filled : growing;
}

/** Leaves the state as it was. */
function draft(problem: Problem, state: SchedulingState, worth?: Float64Array): Draft {
  const existing = state.nodeCount;
  for (const { pricing } of problem.families) {
    for (const choice of pricing.choices) choice.used = 0;
  }
  const bins = createBins(problem, state);
  const weights = weightsOf(problem);
  const builder = createBuilder({ problem, bins, state, weights, ...(worth && { worth }) });
  const wanted = problem.items.map(({ count }, item) => ({ item, count }));
  const missing = [
    ...placeAll(builder, wanted),
    ...settle({ problem, bins, state, builder }),
  ].reduce((sum, { count }) => sum + count, 0);
  bins.settleSizes();
  for (const { item, bin } of builder.steps.toReversed()) {
    const nature = problem.natures[problem.items[item]?.nature ?? -1];
    if (nature) state.remove(nature.pod, bin.node);
  }
  while (state.nodeCount > existing) state.removeNewestNode();
  const price = bins.all.reduce((sum, bin) => sum + bin.price, 0);
  return { bins, steps: builder.steps, missing, price };
}

/** A pod with affinity waits for those it wants to be with. */
function placeAll(builder: Builder, wanted: readonly Wanted[]): readonly Wanted[] {
  const total = (list: readonly Wanted[]) => list.reduce((sum, { count }) => sum + count, 0);
  let waiting = wanted;
  for (;;) {
    const missing = builder.place(waiting);
    if (missing.length === 0 || total(missing) === total(waiting)) return missing;
    waiting = missing;
  }
}
