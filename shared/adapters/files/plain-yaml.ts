/*
 * The YAML that kubectl prints, read some twenty times faster than a whole YAML parser does: block maps
 * and lists of one-line scalars. Anything else (folded texts, block scalars, anchors, comments, flow
 * collections, duplicate keys) is `unusual` and left to the real parser, so that nothing is read twice
 * in two ways.
 */

export const unusual = Symbol('unusual YAML');

class Unusual extends Error {}

const refuse = (): never => {
  throw new Unusual();
};

const plainKey = /^[A-Za-z_][\w./~-]*$/;
const indicator = /^[-?:,[\]{}#&*!|>%@`"'+=.<]/;
const decimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
/** What YAML may read as a number too, but not as JSON writes it: octal, hexadecimal, `007`, `1.`. */
const oddNumber = /^(?:0[xo]|\d+\.?\d*(?:e[-+]?\d+)?$|[\d_]+$)/i;
const words: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['null', null],
  ['~', null],
  ['true', true],
  ['false', false],
]);
const oddWord = /^(null|true|false)$/i;

const doubleQuoted = (text: string): string => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : refuse();
  } catch {
    return refuse();
  }
};

const quoted = (text: string): string => {
  if (text.startsWith('"')) return doubleQuoted(text);
  return /^'(?:[^']|'')*'$/.test(text) ? text.slice(1, -1).replaceAll("''", "'") : refuse();
};

const plainScalar = (text: string): unknown => {
  if (words.has(text)) return words.get(text);
  if (decimal.test(text)) return Number(text);
  if (oddNumber.test(text) || oddWord.test(text)) return refuse();
  if (indicator.test(text) || text.includes(': ') || text.includes(' #')) return refuse();
  return text.endsWith(':') ? refuse() : text;
};

const scalar = (text: string): unknown => {
  if (text === '{}') return {};
  if (text === '[]') return [];
  if (text !== text.trim()) return refuse();
  return text.startsWith('"') || text.startsWith("'") ? quoted(text) : plainScalar(text);
};

/** `key: value` taken apart; `undefined` where a text is no map entry. */
const entryOf = (text: string): readonly [string, string] | undefined => {
  if (text.startsWith('"') || text.startsWith("'")) {
    const end = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'):(?: |$)/.exec(text);
    if (end === null) return undefined;
    const key = end[0].trimEnd().slice(0, -1);
    return [quoted(key), text.slice(end[0].length)];
  }
  const colon = text.indexOf(': ');
  const key = colon === -1 ? (text.endsWith(':') ? text.slice(0, -1) : '') : text.slice(0, colon);
  if (key === '') return undefined;
  if (!plainKey.test(key) || oddWord.test(key)) return refuse();
  return [key, colon === -1 ? '' : text.slice(colon + 2)];
};

const indentOf = (line: string): number => {
  let indent = 0;
  while (line.charCodeAt(indent) === 0x20) indent += 1;
  return indent;
};

const isItem = (line: string, indent: number): boolean =>
  line.charCodeAt(indent) === 0x2d && line.charCodeAt(indent + 1) === 0x20;

const reader = (lines: string[]) => {
  let at = 0;
  const lineAt = (): string => lines[at] ?? '';
  const more = (): boolean => at < lines.length;

  const node = (indent: number): unknown =>
    isItem(lineAt(), indent) ? sequence(indent) : mapping(indent);

  const valueUnder = (rest: string, indent: number): unknown => {
    if (rest !== '') {
      const value = scalar(rest);
      // A deeper line would go on with this scalar.
      return more() && indentOf(lineAt()) > indent ? refuse() : value;
    }
    if (!more()) return null;
    const next = indentOf(lineAt());
    if (next > indent) return node(next);
    return next === indent && isItem(lineAt(), indent) ? sequence(indent) : null;
  };

  const mapping = (indent: number): unknown => {
    const map: Record<string, unknown> = {};
    while (more() && indentOf(lineAt()) === indent && !isItem(lineAt(), indent)) {
      const [key, rest] = entryOf(lineAt().slice(indent)) ?? refuse();
      if (key === '__proto__' || Object.hasOwn(map, key)) refuse();
      at += 1;
      map[key] = valueUnder(rest, indent);
    }
    return map;
  };

  const sequence = (indent: number): unknown => {
    const list: unknown[] = [];
    while (more() && indentOf(lineAt()) === indent && isItem(lineAt(), indent)) {
      const content = lineAt().slice(indent + 2);
      if (content.startsWith('- ') || content.startsWith(' ')) refuse();
      if (entryOf(content) === undefined) {
        at += 1;
        list.push(valueUnder(content === '' ? refuse() : content, indent));
      } else {
        lines[at] = `${' '.repeat(indent + 2)}${content}`;
        list.push(mapping(indent + 2));
      }
    }
    return list;
  };

  return { node, done: () => !more() };
};

/** The value of one block of plain YAML, or `unusual`. */
export const readPlainYaml = (text: string): unknown => {
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
  if (lines.some((line) => line.trim() === '' || /[\t\r\u0085\u2028\u2029\ufeff]/.test(line))) {
    return unusual;
  }
  try {
    const { node, done } = reader(lines);
    const value = node(indentOf(lines[0] ?? ''));
    return done() ? value : unusual;
  } catch (error) {
    if (error instanceof Unusual || error instanceof RangeError) return unusual;
    throw error;
  }
};
