import { answerOf } from './answer.ts';
import { createBins } from './bins.ts';
import { boundOf } from './bound.ts';
import { type Builder, createBuilder, type Wanted } from './build.ts';
import { improve } from './improve.ts';
import { problemOf, weightsOf } from './problem.ts';
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
  const bins = createBins(problem, state);
  const least = boundOf(problem, bins);
  const weights = weightsOf(problem);
  const builder = createBuilder({ problem, bins, state, weights });
  const wanted = problem.items.map(({ count }, item) => ({ item, count }));
  const missing = [...placeAll(builder, wanted), ...settle({ problem, bins, state, builder })];
  const trials = improve({
    problem,
    bins,
    weights,
    trials: question.trials,
    least: missing.length > 0 ? 0 : least,
  });
  for (const { item, bin } of builder.steps.toReversed()) {
    const nature = problem.natures[problem.items[item]?.nature ?? -1];
    if (nature) state.remove(nature.pod, bin.node);
  }
  while (state.nodeCount > existing) state.removeNewestNode();
  const answer = answerOf({ problem, bins, steps: builder.steps, existing });
  const unplaced = kinds.map(({ count }) => Math.max(count, 0));
  for (const { kind, count } of answer.bindings) unplaced[kind] = (unplaced[kind] ?? 0) - count;
  return { ...answer, unplaced, trials, least };
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
