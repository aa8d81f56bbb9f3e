import type { SchedulingState } from '../state/scheduling-state.ts';
import type { Bins } from './bins.ts';
import type { Builder, Step, Wanted } from './build.ts';
import type { Problem } from './problem.ts';

/** How often pods are given another place because nodes came that were not there when they got theirs. */
const rounds = 8;

export interface SettleInput {
  readonly problem: Problem;
  readonly bins: Bins;
  readonly state: SchedulingState;
  readonly builder: Builder;
}

/**
 * Binds all pods with constraints anew now that every node is there, since a node that comes later makes
 * the fewest pods of a domain fewer; what has become illegal gets another place. Gives what found none.
 */
export function settle(input: SettleInput): readonly Wanted[] {
  if (!input.problem.natures.some(isSpread)) return [];
  for (let round = 0; round < rounds; round += 1) {
    const nodes = input.bins.all.length;
    const refused = bindAnew(input);
    if (refused.length === 0) return [];
    const missing = input.builder.place(refused);
    if (missing.length > 0 && input.bins.all.length === nodes) return missing;
  }
  return bindAnew(input);
}

const isSpread = ({ pod }: Problem['natures'][number]): boolean =>
  (pod.topologySpread ?? []).some(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule');

function bindAnew({ problem, bins, state, builder }: SettleInput): readonly Wanted[] {
  const { steps } = builder;
  const natureOf = ({ item }: Step) =>
    problem.natures[
      (problem.items[item] as Problem['items'][number]).nature
    ] as Problem['natures'][number];
  for (const step of steps.toReversed()) state.remove(natureOf(step).pod, step.bin.node);
  let waiting = steps.splice(0);
  for (;;) {
    const refused: Step[] = [];
    for (const step of waiting) {
      const { pod, question } = natureOf(step);
      if (question.passes(step.bin.node)) {
        state.place(pod, step.bin.node);
        steps.push(step);
      } else {
        refused.push(step);
      }
    }
    const stuck = refused.length === waiting.length;
    waiting = refused;
    if (waiting.length === 0 || stuck) break;
  }
  for (const { item, bin } of waiting) bins.put(bin, item, -1);
  return waiting.map(({ item }) => ({ item, count: 1 }));
}
