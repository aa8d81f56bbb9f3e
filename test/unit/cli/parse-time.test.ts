import { describe, expect, it } from 'vitest';
import { parseTime } from '../../../cli/parse-time.ts';

describe('a time on the command line', () => {
  it.each([
    '2026-08-21T10:00:00Z',
    '2026-08-21T10:00Z',
    '2026-08-21t12:00:00+02:00',
    '2026-08-21T12:00+02:00',
    '2026-08-21T10:00:00.000Z',
  ])('is taken with or without seconds, in any zone: %s', (text) => {
    expect(parseTime('--now', text)).toBe(Date.UTC(2026, 7, 21, 10));
  });

  it.each(['yesterday', '', '2026-08-21', '2026-08-21T10:00:00', '2026-02-31T00:00:00Z'])(
    'is refused where it is none: %s',
    (text) => {
      expect(() => parseTime('--now', text)).toThrow(/^outrider: --now ".*" is no time: write it/);
    },
  );
});
