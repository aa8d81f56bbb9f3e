/** Expressions of one priority. */
export interface PriorityTier {
  readonly priority: number;
  readonly expressions: readonly string[];
}

export type ReadPriorities =
  | { readonly tiers: readonly PriorityTier[] }
  /** What is wrong, with the line, and what to write. */
  | { readonly fault: string };

const remedy = 'write a priority with its list, such as 10: and under it - .*spot.*';

/**
 * Reads the YAML of priorities: whole numbers, each with a list of texts, in lines of their own or in brackets.
 * Texts stand plain or in quotes; comments count for nothing. Other YAML (anchors, tags, folded texts) is
 * refused with its line.
 */
export const readPriorities = (text: string): ReadPriorities => {
  const tiers: { priority: number; expressions: string[] }[] = [];
  const lines = text.split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    const content = withoutComment(line).trimEnd();
    const fault = (what: string): ReadPriorities => ({
      fault: `line ${index + 1} ${what}: ${remedy}`,
    });
    if (content.trim() === '' || content === '---') continue;
    if (/^ *\t/.test(content)) return fault('is indented by a tab');
    const item = /^\s*-(?:\s+(.*))?$/.exec(content);
    const current = tiers.at(-1);
    if (item !== null) {
      const expression = textOf((item[1] ?? '').trim());
      if (current === undefined) return fault('is in no priority');
      if (expression === undefined) return fault('is no plain or quoted text');
      current.expressions.push(expression);
      continue;
    }
    const key = /^\s*(["']?)([+-]?[0-9]{1,15})\1\s*:(?:\s+(.*))?$/.exec(content);
    if (key === null) return fault('is neither a priority nor an expression');
    const priority = Number(key[2]);
    if (tiers.some((tier) => tier.priority === priority)) {
      return fault(`has priority ${priority} a second time`);
    }
    const expressions = listOf((key[3] ?? '').trim());
    if (expressions === undefined) return fault('is no list of texts');
    tiers.push({ priority, expressions });
  }
  return tiers.length === 0 ? { fault: `it is empty: ${remedy}` } : { tiers };
};

/** A `#` begins a comment at the start of a line or after a space, outside quotes. */
const withoutComment = (line: string): string => {
  let quote = '';
  for (let index = 0; index < line.length; index += 1) {
    const character = line[index] ?? '';
    const before = line[index - 1] ?? ' ';
    if (quote === '"' && character === '\\') index += 1;
    else if (quote !== '') quote = character === quote ? '' : quote;
    else if ((character === '"' || character === "'") && /[\s,[]/.test(before)) quote = character;
    else if (character === '#' && /\s/.test(before)) return line.slice(0, index);
  }
  return line;
};

const listOf = (text: string): string[] | undefined => {
  if (text === '') return [];
  const inner = /^\[(.*)\]$/.exec(text)?.[1];
  if (inner === undefined) return undefined;
  if (inner.trim() === '') return [];
  const texts: string[] = [];
  const one = /\s*("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,"'[\]{}]+?)\s*(?:,|$)/y;
  while (one.lastIndex < inner.length) {
    const match = one.exec(inner);
    const expression = match === null ? undefined : textOf(match[1] ?? '');
    if (expression === undefined) return undefined;
    texts.push(expression);
  }
  return texts;
};

/** What a plain text may not begin with, being something else in YAML. */
const indicator = /^[[\]{},&*!|>%@`#]|^[?:-](?:\s|$)|:(?:\s|$)|\s#/;

/** An item that says nothing is an empty text, which every name contains. */
const textOf = (text: string): string | undefined => {
  if (text.startsWith("'")) {
    return /^'((?:[^']|'')*)'$/.exec(text)?.[1]?.replaceAll("''", "'");
  }
  if (text.startsWith('"')) return jsonText(text);
  if (text === '~' || text === 'null') return '';
  return indicator.test(text) ? undefined : text;
};

const jsonText = (text: string): string | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
};
