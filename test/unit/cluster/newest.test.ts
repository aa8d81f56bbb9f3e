import { expect, it } from 'vitest';
import { setNewest } from '#cluster/newest.ts';

it('a map keeps its newest entries; one that is set again is new', () => {
  const map = new Map<string, number>();
  for (const [index, key] of ['a', 'b', 'a', 'c'].entries()) setNewest(map, [key, index], 2);
  expect([...map]).toEqual([
    ['a', 2],
    ['c', 3],
  ]);
});
