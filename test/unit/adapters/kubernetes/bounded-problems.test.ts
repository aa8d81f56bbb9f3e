import { describe, expect, it } from 'vitest';
import { boundedProblems } from '#adapters/kubernetes/bounded-problems.ts';

const problemOf = (index: number) => ({
  field: `pods[a/${String(index).padStart(6, '0')}]`,
  code: 'quantityInvalid',
  message: 'x',
});

describe('problems of many objects', () => {
  it('are all told, in order, while they are a hundred at most', () => {
    const problems = boundedProblems('pods');
    for (let index = 99; index >= 0; index -= 1) problems.add([problemOf(index)]);
    expect(problems.told()).toEqual(Array.from({ length: 100 }, (_, index) => problemOf(index)));
  });

  it('are the first hundred and a number beyond, whatever the order', () => {
    const tell = (indexes: readonly number[]) => {
      const problems = boundedProblems('pods');
      for (const index of indexes) problems.add([problemOf(index)]);
      expect(problems.count()).toBe(indexes.length);
      return problems.told();
    };
    const ascending = Array.from({ length: 150_000 }, (_, index) => index);
    const told = tell(ascending);
    expect(told).toHaveLength(101);
    expect(told[99]).toEqual(problemOf(99));
    expect(told[100]).toEqual({
      field: 'pods',
      code: 'moreProblems',
      message: '149900 more problems of pods are not listed; mend the listed ones first.',
    });
    expect(tell(ascending.toReversed())).toEqual(told);
  });

  it('count one beyond the hundred as one', () => {
    const problems = boundedProblems('pods');
    for (let index = 0; index <= 100; index += 1) problems.add([problemOf(index)]);
    expect(problems.told().at(-1)?.message).toMatch(/^1 more problem of pods is not listed;/);
  });
});
