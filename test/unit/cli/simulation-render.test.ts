import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { problemLine } from '#config/words.ts';
import { clockText, renderEvent } from '../../../cli/render/simulation.ts';
import { styleOf } from '../../../cli/render/style.ts';
import { wrap } from '../../../cli/render/text.ts';

const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '/', '-'), maxLength: 300 });

describe('wrapped text', () => {
  it('fits the width, but for words that do not, and keeps every word whole', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 60 }), (given, width) => {
        const lines = wrap(given, width);
        const wide = lines.filter((line) => line.length > width);
        expect(wide.filter((line) => line.includes(' '))).toEqual([]);
        expect(lines.join(' ')).toBe(given.split(' ').filter(Boolean).join(' '));
      }),
    );
  });

  it('breaks at spaces where it can', () => {
    expect(wrap('three small words', 11)).toEqual(['three small', 'words']);
  });
});

describe('an event of the story', () => {
  const pipe = styleOf({});

  it('fits the width whatever is told', () => {
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 4 }), fc.nat(86_400_000), (what, why, atMs) => {
        const rendered = renderEvent({ atMs, kind: 'stuck', what, why }, pipe);
        const wide = rendered.split('\n').filter((line) => line.length > 80);
        expect(wide.filter((line) => / {20}(- )?\S+ \S/.test(line))).toEqual([]);
      }),
    );
  });

  it('says when, what, and below it why', () => {
    const event = { atMs: 65_230, kind: 'stuck', what: 'no group', why: ['a: full'] } as const;
    expect(renderEvent(event, pipe)).toBe(
      '   1:05.2  STUCK    no group\n                    - a: full\n',
    );
  });

  it('has colours only on a terminal that wants them', () => {
    const event = { atMs: 0, kind: 'ready', what: 'a node', why: [] } as const;
    const terminal = { isTTY: true, columns: 80 };
    expect(renderEvent(event, styleOf(terminal, { noColor: false }))).toContain('\u001b[32m');
    expect(renderEvent(event, styleOf(terminal, { noColor: true }))).not.toContain('\u001b');
    expect(renderEvent(event, pipe)).not.toContain('\u001b');
  });
});

describe('the width', () => {
  it('is 80 through a pipe and where a terminal does not know its own, else the terminal has its say', () => {
    const widths = [
      {},
      { columns: 200 },
      { isTTY: true, columns: 0 },
      { isTTY: true, columns: 60 },
    ];
    expect(widths.map((stream) => styleOf(stream).width)).toEqual([80, 80, 80, 60]);
    expect(styleOf({ isTTY: true, columns: 500 }).width).toBe(500);
    expect(styleOf({ isTTY: true, columns: 10 }).width).toBe(40);
  });
});

describe('small words', () => {
  it('are times from the start', () => {
    expect([0, 999, 61_000, 3_725_400].map(clockText)).toEqual([
      '0:00.0',
      '0:00.9',
      '1:01.0',
      '1:02:05.4',
    ]);
  });

  it('are problems in one line', () => {
    expect(problemLine({ file: 'a:1', field: 'b', message: 'c\n  d' })).toBe('a:1: b: c d');
    expect(problemLine({ message: 'alone' })).toBe('alone');
  });
});
