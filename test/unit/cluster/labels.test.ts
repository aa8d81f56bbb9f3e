import { describe, expect, it } from 'vitest';
import type { NodeSelectorRequirement } from '#cluster/constraints.ts';
import {
  matchesExpression,
  matchesField,
  matchesNodeSelector,
  matchesTerm,
  matchesTerms,
} from '#cluster/labels.ts';

const labels = { zone: 'a', cores: '8', empty: '' };
const node = { name: 'node-1', labels };

const holds = (
  key: string,
  operator: NodeSelectorRequirement['operator'],
  ...values: string[]
): boolean => matchesExpression({ key, operator, values }, labels);

describe('matchesExpression', () => {
  it('In needs the key and one of the values', () => {
    expect(holds('zone', 'In', 'b', 'a')).toBe(true);
    expect(holds('zone', 'In', 'b')).toBe(false);
    expect(holds('absent', 'In', 'a')).toBe(false);
    expect(holds('empty', 'In', '')).toBe(true);
  });

  it('NotIn matches an absent key', () => {
    expect(holds('absent', 'NotIn', 'a')).toBe(true);
    expect(holds('zone', 'NotIn', 'a')).toBe(false);
    expect(holds('zone', 'NotIn', 'b')).toBe(true);
  });

  it('Exists and DoesNotExist look at the key alone', () => {
    expect(holds('empty', 'Exists')).toBe(true);
    expect(holds('absent', 'Exists')).toBe(false);
    expect(holds('absent', 'DoesNotExist')).toBe(true);
    expect(holds('zone', 'DoesNotExist')).toBe(false);
    expect(holds('constructor', 'Exists')).toBe(false);
  });

  it('Gt and Lt compare whole numbers, not texts', () => {
    expect(holds('cores', 'Gt', '7')).toBe(true);
    expect(holds('cores', 'Gt', '8')).toBe(false);
    expect(holds('cores', 'Lt', '10')).toBe(true);
    expect(holds('cores', 'Lt', '8')).toBe(false);
    expect(holds('zone', 'Gt', '1')).toBe(false);
    expect(holds('absent', 'Lt', '1')).toBe(false);
  });

  it('compares beyond 2^53 exactly and takes no more than 64 bits', () => {
    const big = { key: 'n', operator: 'Gt', values: ['9007199254740992'] } as const;
    expect(matchesExpression(big, { n: '9007199254740993' })).toBe(true);
    expect(matchesExpression(big, { n: '9223372036854775807' })).toBe(true);
    expect(matchesExpression(big, { n: '9223372036854775808' })).toBe(false);
  });

  it('is false where Kubernetes could not build the selector', () => {
    expect(holds('zone', 'In')).toBe(false);
    expect(holds('absent', 'NotIn')).toBe(false);
    expect(holds('zone', 'Exists', 'a')).toBe(false);
    expect(holds('absent', 'DoesNotExist', 'a')).toBe(false);
    expect(holds('cores', 'Gt', '1', '2')).toBe(false);
    expect(holds('cores', 'Gt', '1.5')).toBe(false);
    expect(holds('cores', 'Gt', '-5')).toBe(false);
    expect(holds('cores', 'Gt', '+5')).toBe(false);
    expect(holds('absent', 'NotIn', 'not a label value')).toBe(false);
  });
});

describe('matchesField', () => {
  it('knows metadata.name, In and NotIn with exactly one value', () => {
    expect(matchesField({ key: 'metadata.name', operator: 'In', values: ['x'] }, 'x')).toBe(true);
    expect(matchesField({ key: 'metadata.name', operator: 'In', values: ['y'] }, 'x')).toBe(false);
    expect(matchesField({ key: 'metadata.name', operator: 'NotIn', values: ['y'] }, 'x')).toBe(
      true,
    );
    expect(matchesField({ key: 'metadata.name', operator: 'In', values: ['x', 'y'] }, 'x')).toBe(
      false,
    );
    expect(matchesField({ key: 'metadata.name', operator: 'Exists', values: ['x'] }, 'x')).toBe(
      false,
    );
    expect(matchesField({ key: 'metadata.uid', operator: 'In', values: ['x'] }, 'x')).toBe(false);
  });
});

describe('terms', () => {
  const zone = (value: string) =>
    ({ key: 'zone', operator: 'In', values: [value] }) satisfies NodeSelectorRequirement;

  it('ANDs expressions and fields within a term', () => {
    const name = { key: 'metadata.name', operator: 'In', values: ['node-1'] } as const;
    const other = { key: 'metadata.name', operator: 'In', values: ['node-2'] } as const;
    expect(matchesTerm({ matchExpressions: [zone('a')], matchFields: [name] }, node)).toBe(true);
    expect(matchesTerm({ matchExpressions: [zone('a')], matchFields: [other] }, node)).toBe(false);
    expect(matchesTerm({ matchExpressions: [zone('b')], matchFields: [name] }, node)).toBe(false);
    expect(matchesTerm({ matchExpressions: [], matchFields: [name] }, node)).toBe(true);
  });

  it('ORs terms; an empty term and an empty list match nothing, an absent list everything', () => {
    const empty = { matchExpressions: [], matchFields: [] };
    const matching = { matchExpressions: [zone('a')], matchFields: [] };
    const failing = { matchExpressions: [zone('b')], matchFields: [] };
    expect(matchesTerms(undefined, node)).toBe(true);
    expect(matchesTerms([], node)).toBe(false);
    expect(matchesTerms([empty], node)).toBe(false);
    expect(matchesTerms([failing, matching], node)).toBe(true);
    expect(matchesTerms([failing, empty], node)).toBe(false);
  });
});

describe('matchesNodeSelector', () => {
  it('needs every pair', () => {
    expect(matchesNodeSelector({}, labels)).toBe(true);
    expect(matchesNodeSelector({ zone: 'a', cores: '8' }, labels)).toBe(true);
    expect(matchesNodeSelector({ zone: 'a', cores: '9' }, labels)).toBe(false);
    expect(matchesNodeSelector({ absent: '' }, labels)).toBe(false);
  });
});
