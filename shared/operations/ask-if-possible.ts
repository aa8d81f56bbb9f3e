import { compareText } from '#cluster/order.ts';
import type { Problem } from '#cluster/problem.ts';
import { failureOf } from './failure.ts';

/** Questions that a decision can do without the answers to. */
export interface Questions {
  /** The answer; `undefined` where there is none, which is then a problem of the field. */
  ask<T>(field: string, question: () => Promise<T>): Promise<T | undefined>;
  /** What could not be asked so far, by field: the questions are asked side by side and fail in any order. */
  problems(): readonly Problem[];
}

/** What could not be asked is told, and asked again by the next look: it is no reason to leave pods waiting. */
export const askIfPossible = (): Questions => {
  const problems: Problem[] = [];
  return {
    ask: async (field, question) => {
      try {
        return await question();
      } catch (thrown) {
        const { code, message } = failureOf(thrown);
        problems.push({ field, code, message: `could not be asked: ${message}` });
        return undefined;
      }
    },
    problems: () => [...problems].sort((a, b) => compareText(a.field ?? '', b.field ?? '')),
  };
};
