import { createDice } from '../packing/dice.ts';
import type { PassedNodes } from '../scores/score-plugin.ts';

/**
 * Which of the nodes with the best score is taken. kube-scheduler draws; a replay takes the lowest or the
 * highest position, or draws the same each time.
 */
export type Ties = 'lowest' | 'highest' | 'drawn';

export type TieBreak = (passed: PassedNodes, scores: Float64Array) => number;

function bestScore({ count }: PassedNodes, scores: Float64Array): number {
  let best = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < count; at += 1) {
    const score = scores[at] ?? 0;
    if (score > best) best = score;
  }
  return best;
}

function extreme(sign: 1 | -1): TieBreak {
  return (passed, scores) => {
    const best = bestScore(passed, scores);
    let taken = -1;
    for (let at = 0; at < passed.count; at += 1) {
      if (scores[at] !== best) continue;
      const node = passed.list[at] ?? -1;
      if (taken < 0 || sign * (node - taken) < 0) taken = node;
    }
    return taken;
  };
}

function drawn(seed: number): TieBreak {
  const dice = createDice(seed);
  return (passed, scores) => {
    const best = bestScore(passed, scores);
    let tied = 0;
    for (let at = 0; at < passed.count; at += 1) if (scores[at] === best) tied += 1;
    let skip = dice.roll(tied);
    for (let at = 0; at < passed.count; at += 1) {
      if (scores[at] !== best) continue;
      if (skip === 0) return passed.list[at] ?? -1;
      skip -= 1;
    }
    return -1;
  };
}

/** `seed`: of the draws. */
export function tieBreakOf(ties: Ties, seed = 0): TieBreak {
  switch (ties) {
    case 'lowest':
      return extreme(1);
    case 'highest':
      return extreme(-1);
    case 'drawn':
      return drawn(seed);
  }
}
