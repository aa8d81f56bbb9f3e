import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutBytes } from '#adapters/cut-bytes.ts';

describe('cutBytes', () => {
  it('keeps what fits', () => {
    expect(cutBytes('äöü', 6)).toBe('äöü');
  });

  it('cuts between characters and says that it cut', () => {
    expect(cutBytes('äöüß', 7)).toBe('äö…');
    expect(cutBytes('a😀b', 5)).toBe('a…');
  });

  it('gives a beginning of the text within the bytes allowed', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        fc.integer({ min: 3, max: 80 }),
        (text, most) => {
          const cut = cutBytes(text, most);
          expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(most);
          expect(cut).not.toContain('\ufffd');
          if (cut !== text) expect(text.startsWith(cut.slice(0, -1))).toBe(true);
          else expect(Buffer.byteLength(text)).toBeLessThanOrEqual(most);
        },
      ),
    );
  });
});
