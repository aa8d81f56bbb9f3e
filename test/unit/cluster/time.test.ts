import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatTime, parseTime } from '#cluster/time.ts';

describe('parseTime', () => {
  it.each([
    ['1970-01-01T00:00:00Z', 0],
    ['2026-08-21T10:11:12Z', Date.UTC(2026, 7, 21, 10, 11, 12)],
    ['2024-02-29T23:59:59.123456Z', Date.UTC(2024, 1, 29, 23, 59, 59, 123)],
    ['2026-01-01T00:30:00+02:00', Date.UTC(2025, 11, 31, 22, 30)],
    ['2026-01-01T00:30:00-02:30', Date.UTC(2026, 0, 1, 3, 0)],
    ['1969-12-31T23:59:59.5Z', -500],
  ])('reads %s', (text, expected) => {
    expect(parseTime(text)).toBe(expected);
  });

  it.each([
    '',
    'now',
    '2026-01-01',
    '2026-01-01 00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:60Z',
    '2026-01-01T00:00:00',
    '2026-01-01T00:00:00+99:00',
  ])('refuses %j', (text) => {
    expect(parseTime(text)).toBeUndefined();
  });

  it('agrees with the platform on every time from year 1 to 9999', () => {
    fc.assert(
      fc.property(
        fc.date({
          min: new Date('0001-01-01T00:00:00Z'),
          max: new Date('9999-12-31T23:59:59Z'),
          noInvalidDate: true,
        }),
        (date) => {
          expect(parseTime(date.toISOString())).toBe(date.getTime());
          expect(formatTime(date.getTime())).toBe(date.toISOString().replace(/\.\d+/, ''));
        },
      ),
      { numRuns: 1000 },
    );
  });
});
