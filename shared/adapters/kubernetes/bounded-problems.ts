import { counted } from '#cluster/counted.ts';
import { compareText } from '#cluster/order.ts';
import type { Problem } from '#cluster/problem.ts';

/** So many people read; 150,000 broken pods would make a journal of nothing else. */
const mostTold = 100;

/** Collects problems of one kind of objects, in memory that does not grow with their number. */
export interface BoundedProblems {
  add(problems: readonly Problem[]): void;
  count(): number;
  /** The first hundred by field, the same whatever the order they came in, and how many there are more. */
  told(): readonly Problem[];
}

export function boundedProblems(plural: string): BoundedProblems {
  let kept: Problem[] = [];
  let count = 0;
  return {
    add(problems) {
      count += problems.length;
      kept.push(...problems);
      if (kept.length > 10 * mostTold) kept = firstOf(kept);
    },
    count: () => count,
    told() {
      if (count <= mostTold) return kept.toSorted(compareProblems);
      const message = `${counted(count - mostTold, `more problem of ${plural} is`, `more problems of ${plural} are`)} not listed; mend the listed ones first.`;
      return [...firstOf(kept), { field: plural, code: 'moreProblems', message }];
    },
  };
}

const firstOf = (problems: readonly Problem[]): Problem[] =>
  problems.toSorted(compareProblems).slice(0, mostTold);

const compareProblems = (a: Problem, b: Problem): number =>
  compareText(a.field ?? '', b.field ?? '') || compareText(a.message, b.message);
