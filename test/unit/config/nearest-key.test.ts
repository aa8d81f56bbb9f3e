import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDurationSeconds, parsePercentPerMille } from '#config/duration.ts';
import { nearestKey } from '#config/nearest-key.ts';

describe('the key that was probably meant', () => {
  it('is the closest, the first of equals, and none where all are far', () => {
    expect(nearestKey('netwrok', ['name', 'network'])).toBe('network');
    expect(nearestKey('network', ['netwrkk', 'networks'])).toBe('networks');
    expect(nearestKey('nodem', ['mode', 'node'])).toBe('node');
    expect(nearestKey('aab', ['aac', 'aad'])).toBe('aac');
    expect(nearestKey('MODE', ['mode'])).toBe('mode');
    expect(nearestKey('colour', ['mode', 'name'])).toBeUndefined();
  });
});

describe('a duration', () => {
  it('is the sum of its parts', () => {
    const parts = fc.tuple(fc.nat(100), fc.nat(100), fc.nat(100), fc.nat(100));
    fc.assert(
      fc.property(parts, ([d, h, m, s]) => {
        const seconds = d * 86_400 + h * 3600 + m * 60 + s;
        expect(parseDurationSeconds(`${d}d${h}h${m}m${s}s`)).toBe(seconds);
      }),
    );
  });

  it.each(['', '5', 's', '-1s', '1.5h', '1 h', '400d', '1w', '1h30'])('is not %j', (text) => {
    expect(parseDurationSeconds(text)).toBeUndefined();
  });
});

describe('a percentage', () => {
  it.each([
    ['10%', 100],
    ['5.5%', 55],
    ['0%', 0],
    ['100%', 1000],
  ])('%s is %i per mille', (text, value) => {
    expect(parsePercentPerMille(text)).toBe(value);
  });

  it.each(['10', '100.1%', '1.25%', '-1%', '%', '1e1%'])('is not %j', (text) => {
    expect(parsePercentPerMille(text)).toBeUndefined();
  });
});
