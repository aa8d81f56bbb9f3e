import { describe, expect, it } from 'vitest';
import { say } from '../../../cli/say.ts';

const said = (text: string, terminal: { readonly isTTY?: boolean; readonly columns?: number }) => {
  let out = '';
  const write = (piece: string): boolean => {
    out += piece;
    return true;
  };
  say(text, { ...terminal, write });
  return out;
};

describe('lines for people', () => {
  const long = `problem: ${'word '.repeat(20)}end`;

  it('are wrapped at the width of a terminal, each indented under its beginning', () => {
    const lines = said(`${long}\nshort`, { isTTY: true, columns: 50 }).split('\n');
    expect(lines.length).toBeGreaterThan(4);
    expect(lines.filter((line) => line.length > 50)).toEqual([]);
    expect(lines[1]).toMatch(/^ {2}word/);
    expect(lines.at(-2)).toBe('short');
  });

  it('stay whole through a pipe', () => {
    expect(said(long, {})).toBe(`${long}\n`);
  });
});
