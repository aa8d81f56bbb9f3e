import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesNodeSelector, matchesTerms } from '#cluster/labels.ts';
import { nodeIndexOf } from '#scheduling/node-index.ts';
import { node, pod } from '../../helpers/scaling-builders.ts';

const values = ['a', 'b', '1', '2'];
const labels = fc.dictionary(fc.constantFrom('pool', 'zone'), fc.constantFrom(...values));
const expression = fc.record({
  key: fc.constantFrom('pool', 'zone', 'metadata.name'),
  operator: fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'),
  values: fc.array(fc.constantFrom(...values, 'n-1'), { maxLength: 2 }),
});
const term = fc.record({
  matchExpressions: fc.array(expression, { maxLength: 2 }),
  matchFields: fc.array(expression, { maxLength: 1 }),
});

describe('the index of nodes', () => {
  it('never leaves out a node that selector and affinity let the pod on, and keeps the order', () => {
    fc.assert(
      fc.property(
        fc.array(labels, { maxLength: 6 }),
        labels,
        fc.option(fc.array(term, { maxLength: 3 }), { nil: undefined }),
        (all, nodeSelector, terms) => {
          const nodes = all.map((of, at) => node(`n-${at}`, { labels: of }));
          const wanted = pod('web', {
            nodeSelector,
            ...(terms === undefined ? {} : { requiredNodeAffinity: terms }),
          });
          const found = nodeIndexOf(nodes)(wanted) ?? nodes.map((_, at) => at);
          expect([...found].sort((a, b) => a - b)).toEqual(found);
          const matching = nodes.flatMap((one, at) =>
            matchesNodeSelector(nodeSelector, one.labels) && matchesTerms(terms, one) ? [at] : [],
          );
          expect(found).toEqual(expect.arrayContaining(matching));
        },
      ),
    );
  });

  it('leaves only nodes that have the label asked for', () => {
    const nodes = ['a', 'b', 'a'].map((pool, at) => node(`n-${at}`, { labels: { pool } }));
    const index = nodeIndexOf(nodes);
    expect(index(pod('web', { nodeSelector: { pool: 'a' } }))).toEqual([0, 2]);
    expect(index(pod('web', { nodeSelector: { pool: 'c' } }))).toEqual([]);
    expect(index(pod('web'))).toBeUndefined();
  });
});
