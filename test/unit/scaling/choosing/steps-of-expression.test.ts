import { describe, expect, it } from 'vitest';
import { groupPriorities } from '#scaling/choosing/priorities.ts';
import { bareExpression, stepsOfExpression } from '#scaling/choosing/steps-of-expression.ts';

const listOf = (expression: string): string => `10:\n  - ${JSON.stringify(expression)}\n`;

describe('steps of an expression', () => {
  it.each([
    '.*',
    '.*spot.*',
    '^workers-.*-(a|b|c)$',
    'eks-[a-z0-9-]+-spot',
    '.*t3\\.(micro|small|large).*',
    '(prod|stage)-workers-?[0-9]{1,3}',
  ])('are few for %s, as people write them', (expression) => {
    expect(stepsOfExpression(bareExpression(expression))).toBeLessThan(20_000_000);
    expect(groupPriorities(listOf(expression)).problems).toEqual([]);
  });

  it.each([
    '(a+)+$',
    '(a|a)*$',
    '((a|b)c*)+',
    '.*.*.*.*x.*.*.*y.*.*z',
    'a*a*a*a*a*b',
    '(a?){40}a',
    'a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?b',
    '(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)b',
    '^x|a*a*a*b',
    '(a)\\1',
    '(?=a)b',
  ])('are too many for %s, which is refused by name', (expression) => {
    const { of, problems } = groupPriorities(listOf(expression));
    expect(problems).toMatchObject([{ code: 'malformedPriorities' }]);
    expect(problems[0]?.message).toContain('could take too long');
    expect(of('a'.repeat(255))).toBeUndefined();
  });

  it('are not asked of one that is too long, however deep it is', () => {
    const deep = `${'('.repeat(3000)}a${')'.repeat(3000)}`;
    expect(groupPriorities(listOf(deep)).problems).toMatchObject([
      { code: 'malformedPriorities', message: expect.stringContaining('has 6001 characters') },
    ]);
    expect(groupPriorities(listOf('a'.repeat(1000))).problems).toEqual([]);
    expect(groupPriorities(listOf('a'.repeat(1001))).problems).toHaveLength(1);
    const deepest = `${'('.repeat(499)}a${')'.repeat(499)}`;
    expect(groupPriorities(listOf(deepest)).of('a')).toBe(10);
  });

  it('are none for what begins or ends anywhere', () => {
    expect(bareExpression('.*')).toBe('');
    expect(bareExpression('^.*.*.*.*x.*$')).toBe('x');
    expect(bareExpression('.*a|b.*')).toBe('a|b');
    expect(bareExpression('\\.*a\\.*')).toBe('\\.*a\\.*');
    const { of } = groupPriorities(listOf('.*.*.*.*x'));
    expect(of(`${'a'.repeat(254)}!`)).toBeUndefined();
    expect(of('max')).toBe(10);
  });

  it('are counted by what can match in several ways', () => {
    expect(stepsOfExpression('^abc$')).toBe(1);
    expect(stepsOfExpression('^(a|b|c)d?$')).toBe(6);
    expect(stepsOfExpression('^a+b*$')).toBe(255 * 255);
    expect(stepsOfExpression('^[(*+]\\(\\*$')).toBe(1);
    expect(stepsOfExpression('spot')).toBe(255);
    expect(stepsOfExpression('^spot|heavy')).toBe(1 + 255);
  });
});
