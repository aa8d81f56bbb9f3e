import { describe, expect, it } from 'vitest';
import { formatAmount, formatAmounts, withUnit } from '#cluster/format-amount.ts';

describe('formatAmount', () => {
  it.each([
    ['cpu', 0, '0'],
    ['cpu', 100, '100m'],
    ['cpu', 1000, '1'],
    ['cpu', 1500, '1.5'],
    ['cpu', 3920, '3.92'],
    ['cpu', -250, '-250m'],
    ['memory', 0, '0'],
    ['memory', 1000, '1000'],
    ['memory', 1536, '1.5Ki'],
    ['memory', 3.25 * 2 ** 30, '3.25Gi'],
    ['memory', 512 * 2 ** 20, '512Mi'],
    ['ephemeral-storage', 20 * 2 ** 30, '20Gi'],
    ['hugepages-2Mi', 4 * 2 ** 20, '4Mi'],
    ['nvidia.com/gpu', 8, '8'],
    ['pods', 110, '110'],
  ])('writes %s %d as %s', (resource, amount, text) => {
    expect(formatAmount(resource, amount)).toBe(text);
  });

  it('marks bytes that it had to round', () => {
    expect(formatAmount('memory', 7_845_732 * 1024)).toBe('~7.48Gi');
    expect(formatAmount('memory', 4 * 2 ** 30 - 1)).toBe('~4Gi');
  });

  it('gives amounts to the last byte where two that differ would look alike', () => {
    const almost = 4 * 2 ** 30 - 1;
    expect(formatAmounts('memory', [almost - 1, almost])).toEqual(['4294967294', '4294967295']);
    expect(formatAmounts('memory', [2 ** 30, 2 ** 31])).toEqual(['1Gi', '2Gi']);
    expect(formatAmounts('memory', [almost, almost])).toEqual(['~4Gi', '~4Gi']);
  });

  it('is said with its unit', () => {
    const said = (resource: string, amount: number) =>
      withUnit(resource, formatAmount(resource, amount));
    expect(said('cpu', 3920)).toBe('3.92 CPU');
    expect(said('memory', 15.5 * 2 ** 30)).toBe('15.5 GiB');
    expect(said('memory', 7_845_732 * 1024)).toBe('~7.48 GiB');
    expect(said('memory', 512)).toBe('512 bytes');
    expect(said('nvidia.com/gpu', 4)).toBe('4');
  });
});
