import { describe, expect, it } from 'vitest';
import { parseYaml } from '#adapters/files/parse-yaml.ts';

const item = (name: string): string =>
  `- kind: Pod\n  metadata:\n    name: ${name}\n    labels: {}\n`;
const list = (items: string): string =>
  `apiVersion: v1\nitems:\n${items}kind: List\nmetadata:\n  resourceVersion: ""\n`;
const many = (count: number): string =>
  Array.from({ length: count }, (_, index) => item(`p${index}`)).join('');

/** Long enough to be read by item. */
const long = 6000;

describe('a long List', () => {
  it('is the same items as the real parser reads from a short one', () => {
    const { values, problems } = parseYaml(list(many(long)), 'f');
    expect(problems).toEqual([]);
    expect(values).toHaveLength(long);
    const short = parseYaml(list(many(2)), 'f').values[0] as { readonly items: readonly unknown[] };
    expect(values.slice(0, 2)).toEqual(short.items);
  });

  it('may have items that are not plain', () => {
    const folded = "- kind: Pod\n  message: 'one\n    two'\n";
    const { values } = parseYaml(list(many(long) + folded), 'f');
    expect(values.at(-1)).toEqual({ kind: 'Pod', message: 'one two' });
  });

  it('loses a broken item alone, and names its line', () => {
    const { values, problems } = parseYaml(list(`${item('a')}- kind: [\n${many(long)}`), 'f');
    expect(values).toHaveLength(long + 1);
    expect(problems).toEqual([expect.objectContaining({ code: 'notYaml' })]);
    // Lines 1 and 2 are the head, 3 to 6 the first item.
    expect(problems[0]?.file).toMatch(/^f:[78]$/);
  });

  it('of one kind gives its items that kind', () => {
    const text = `apiVersion: v1\nitems:\n${'- metadata:\n    name: a\n'.repeat(15_000)}kind: NodeList\n`;
    expect(parseYaml(text, 'f').values[0]).toEqual({ kind: 'Node', metadata: { name: 'a' } });
  });

  it('may stand among other documents', () => {
    const text = `kind: Node\n---\n${list(many(long))}---\n${list(many(1))}`;
    const { values, problems } = parseYaml(text, 'f');
    expect(problems).toEqual([]);
    expect(values).toHaveLength(long + 2);
    expect(values[0]).toEqual({ kind: 'Node' });
  });
});

describe('a List that was cut off', () => {
  it.each([2, long])('of %i items is not used by half', (count) => {
    const { values, problems } = parseYaml(`apiVersion: v1\nitems:\n${many(count)}`, 'f');
    expect(values).toEqual([]);
    expect(problems).toEqual([expect.objectContaining({ file: 'f', code: 'truncated' })]);
  });
});

describe('documents', () => {
  it('are bounded in what their aliases become', () => {
    const bomb = Array.from({ length: 10 }, (_, level) =>
      level === 0 ? 'a0: &a0 [x, x]' : `a${level}: &a${level} [${`*a${level - 1}, `.repeat(10)}]`,
    ).join('\n');
    const { values, problems } = parseYaml(bomb, 'f');
    expect(values).toEqual([]);
    expect(problems[0]).toMatchObject({ file: 'f:1', code: 'notYaml' });
  });
});
