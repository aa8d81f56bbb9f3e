import { describe, expect, it } from 'vitest';
import type { Taint, Toleration } from '#cluster/constraints.ts';
import { taintText, tolerates, untoleratedTaint } from '#cluster/taints.ts';

const gpu: Taint = { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' };

describe('tolerates', () => {
  it.each<[string, Toleration, boolean]>([
    [
      'the same key, value and effect',
      { key: 'dedicated', operator: 'Equal', value: 'gpu', effect: 'NoSchedule' },
      true,
    ],
    ['another value', { key: 'dedicated', operator: 'Equal', value: 'cpu' }, false],
    ['no value', { key: 'dedicated', operator: 'Equal' }, false],
    ['every effect', { key: 'dedicated', operator: 'Equal', value: 'gpu' }, true],
    ['another effect', { key: 'dedicated', operator: 'Exists', effect: 'NoExecute' }, false],
    ['the key alone', { key: 'dedicated', operator: 'Exists' }, true],
    ['another key', { key: 'other', operator: 'Exists' }, false],
    ['everything', { operator: 'Exists' }, true],
    ['an empty key as every key', { key: '', operator: 'Exists' }, true],
    ['everything of one effect', { operator: 'Exists', effect: 'NoExecute' }, false],
  ])('judges a toleration of %s', (_name, toleration, expected) => {
    expect(tolerates(toleration, gpu)).toBe(expected);
  });

  it('an Equal toleration without value tolerates a taint without value', () => {
    const taint: Taint = { key: 'a', value: '', effect: 'NoSchedule' };
    expect(tolerates({ key: 'a', operator: 'Equal' }, taint)).toBe(true);
  });

  it.each([
    ['5', 'Gt', '4', true],
    ['5', 'Gt', '5', false],
    ['5', 'Lt', '6', true],
    ['5', 'Lt', '5', false],
    ['-7', 'Lt', '-6', true],
    ['9223372036854775807', 'Gt', '9223372036854775806', true],
    ['9223372036854775808', 'Gt', '1', false],
    ['05', 'Gt', '4', false],
    ['5', 'Gt', '+4', false],
    ['-0', 'Lt', '4', false],
    ['', 'Lt', '4', false],
    ['5', 'Gt', '', false],
  ] as const)('taint value %s %s toleration value %s: %s', (actual, operator, value, expected) => {
    const taint: Taint = { key: 'n', value: actual, effect: 'NoSchedule' };
    expect(tolerates({ key: 'n', operator, value }, taint)).toBe(expected);
  });
});

describe('untoleratedTaint', () => {
  it('names the first taint that keeps the pod away', () => {
    const soft: Taint = { key: 'soft', value: '', effect: 'PreferNoSchedule' };
    const evict: Taint = { key: 'out', value: '', effect: 'NoExecute' };
    expect(untoleratedTaint([soft], [])).toBeUndefined();
    expect(untoleratedTaint([soft, evict, gpu], [])).toBe(evict);
    expect(untoleratedTaint([evict, gpu], [{ key: 'out', operator: 'Exists' }])).toBe(gpu);
    expect(untoleratedTaint([evict, gpu], [{ operator: 'Exists' }])).toBeUndefined();
  });

  it('writes taints as kubectl does', () => {
    expect(taintText(gpu)).toBe('dedicated=gpu:NoSchedule');
    expect(taintText({ key: 'spot', value: '', effect: 'NoExecute' })).toBe('spot:NoExecute');
  });
});
