import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { held } from './held.ts';
import { notYet } from './not-yet.ts';

/** The list itself is beside the project where it is built; a checkout alone checks the tests that are named. */
const list = new URL('../../../../shared/known-faults/scaling.jsonl', import.meta.url);
const tests = new URL('../../', import.meta.url);

const quoted = (name: string): readonly string[] =>
  ["'", '"', '`'].map((quote) => `${quote}${name}${quote}`);

const isTestOf = (source: string, name: string): boolean =>
  quoted(name).some((text) =>
    source
      .split(text)
      .slice(0, -1)
      // Whatever stands before the name, the last call that was opened is that of a test.
      .some((before) =>
        /\b(it|test)(\.each\([\s\S]*\)|\.each<[\s\S]*\)|\.skipIf\(.*\))?\(\s*$/.test(
          before.slice(-3000),
        ),
      ),
  );

describe('faults that scalers are known for', () => {
  it.each(held)('number $fault is held by tests that are there', ({ tests: named }) => {
    const files = Object.entries(named);
    expect(files.length).toBeGreaterThan(0);
    const missing = files.flatMap(([file, names]) => {
      const source = readFileSync(new URL(file, tests), 'utf8');
      return names.filter((name) => !isTestOf(source, name)).map((name) => `${file}: ${name}`);
    });
    expect(missing).toEqual([]);
  });

  it('are each held by tests or wait for what is not built, and none twice', () => {
    const numbers = [...held.map(({ fault }) => fault), ...Object.values(notYet).flat()];
    expect(numbers.filter((fault, index) => numbers.indexOf(fault) !== index)).toEqual([]);
  });

  it.skipIf(!existsSync(list))('are all of the list', () => {
    const lines = readFileSync(list, 'utf8').trim().split('\n');
    const listed = lines.map((line) => (JSON.parse(line) as { readonly n: number }).n);
    const answered = [...held.map(({ fault }) => fault), ...Object.values(notYet).flat()];
    expect(listed.length).toBeGreaterThan(100);
    expect(answered.toSorted((a, b) => a - b)).toEqual(listed.toSorted((a, b) => a - b));
  });
});

describe('a name in the table', () => {
  it.each([
    "it('holds', () => {",
    'it("holds", () => {',
    "it.each([1, 2])('holds', (n) => {",
    "it.each([\n  ['a'],\n])('holds', () => {",
  ])('is found where a test has it: %s', (source) => expect(isTestOf(source, 'holds')).toBe(true));

  it.each([
    "describe('holds', () => {",
    "expect('holds')",
    "it('holds not', () => {",
    "// it 'holds'",
  ])('is not found elsewhere: %s', (source) => expect(isTestOf(source, 'holds')).toBe(false));
});
