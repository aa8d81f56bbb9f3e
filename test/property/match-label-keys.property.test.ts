import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { LabelSelector } from '#cluster/constraints.ts';
import { spreadSelector, storedSelector } from '#cluster/match-label-keys.ts';

const key = fc.constantFrom('app', 'pod-template-hash', 'track', 'zone', '__proto__');
const keys = fc.uniqueArray(key, { maxLength: 3 });
const labels = fc.dictionary(key, fc.constantFrom('a', 'b', ''));
const selector: fc.Arbitrary<LabelSelector> = fc.record({
  matchLabels: fc.dictionary(key, fc.constantFrom('a', 'b')),
  matchExpressions: fc.array(
    fc.record({
      key,
      operator: fc.constantFrom('In' as const, 'NotIn' as const),
      values: fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 2 }),
    }),
    { maxLength: 3 },
  ),
});

it('a pod is read alike before and after the API server stored it', () => {
  fc.assert(
    fc.property(selector, keys, keys, labels, (given, match, mismatch, own) => {
      const stored = storedSelector(given, { match, mismatch }, own);
      expect(storedSelector(stored, { match, mismatch }, own)).toEqual(stored);
      const spread = spreadSelector(given, match, own);
      expect(spreadSelector(spread, match, own)).toEqual(spread);
      expect(stored.matchExpressions.slice(0, given.matchExpressions.length)).toEqual(
        given.matchExpressions,
      );
    }),
    { numRuns: 1000 },
  );
});
