import { LineCounter, parseAllDocuments } from 'yaml';
import type { Problem } from '#cluster/problem.ts';
import { yamlFault } from '#config/yaml-fault.ts';
import { readPlainYaml, unusual } from './plain-yaml.ts';

export interface ParsedYaml {
  /** One for each document, or for each item of a long List. */
  readonly values: readonly unknown[];
  readonly problems: readonly Problem[];
}

const mostAliases = 1000;

/** Shorter texts are parsed whole. */
const longText = 256 * 1024;

/**
 * kubectl prints `apiVersion`, `items` and then `kind`: a List without one was cut off, and half a list
 * would tell of a cluster that does not exist.
 */
const isCutOff = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'apiVersion' in value &&
  'items' in value &&
  !('kind' in value);

const cutOff = (file: string): ParsedYaml => ({
  values: [],
  problems: [
    {
      file,
      code: 'truncated',
      message: 'is cut off in the middle of a List: none of the List is used; record it again',
    },
  ],
});

/** Documents, each by itself: a broken one is named and left out. `lineBefore` counts those above. */
const parseDocuments = (text: string, file: string, lineBefore: number): ParsedYaml => {
  const lines = new LineCounter();
  const values: unknown[] = [];
  const problems: Problem[] = [];
  const parsed = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false });
  for (const document of Array.isArray(parsed) ? parsed : []) {
    const fault = document.errors[0];
    const offset = fault?.pos[0] ?? document.range[0];
    let said = fault === undefined ? undefined : yamlFault(fault);
    try {
      const value: unknown =
        said === undefined ? document.toJS({ maxAliasCount: mostAliases }) : null;
      if (isCutOff(value)) problems.push(...cutOff(file).problems);
      else if (value !== null && value !== undefined) values.push(value);
    } catch (error) {
      said = yamlFault(error);
    }
    if (said === undefined) continue;
    problems.push({
      file: `${file}:${lineBefore + lines.linePos(offset).line}`,
      code: 'notYaml',
      message: `${said}: what stands there is left out; record it again`,
    });
  }
  return { values, problems };
};

interface Part {
  readonly text: string;
  /** Lines above it. */
  readonly lineBefore: number;
}

/** The parts of a text that begin with a line of which `begins` says so. */
const partsOf = (part: Part, begins: (line: string) => boolean): readonly Part[] => {
  const parts: Part[] = [];
  let start = 0;
  let startLine = part.lineBefore;
  let line = part.lineBefore;
  let at = 0;
  while (at < part.text.length) {
    const newline = part.text.indexOf('\n', at);
    const end = newline === -1 ? part.text.length : newline + 1;
    if (at > start && begins(part.text.slice(at, Math.min(end, at + 32)))) {
      parts.push({ text: part.text.slice(start, at), lineBefore: startLine });
      start = at;
      startLine = line;
    }
    line += 1;
    at = end;
  }
  return [...parts, { text: part.text.slice(start), lineBefore: startLine }];
};

const isMarker = (line: string): boolean => /^---(\s|$)/.test(line);
const isItem = (line: string): boolean => line.startsWith('- ');
const isKey = (line: string): boolean => /^[A-Za-z]/.test(line);

/** The items of a List at the left edge, as kubectl prints one; `undefined` where it is none. */
const itemsOf = (
  document: Part,
): { readonly items: readonly Part[]; readonly rest: string } | undefined => {
  const parts = partsOf(document, isKey);
  const index = parts.findIndex(({ text }) => text.startsWith('items:\n- '));
  const list = parts[index];
  if (list === undefined) return undefined;
  const [, ...items] = partsOf(list, isItem);
  const around = parts.filter((part) => part !== list && !isMarker(part.text));
  return { items, rest: around.map(({ text }) => text).join('') };
};

/** `kind: PodList` says what its items are. */
const typedKind = (rest: string): string | undefined => /^kind: (\w+)List\s*$/m.exec(rest)?.[1];

const parseItem = (item: Part, file: string, kind: string | undefined): ParsedYaml => {
  const block = `  ${item.text.slice(2)}`;
  const plain = readPlainYaml(block);
  const parsed =
    plain === unusual
      ? parseDocuments(block, file, item.lineBefore)
      : { values: [plain], problems: [] };
  if (kind === undefined) return parsed;
  const named = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && !('kind' in value) ? { kind, ...value } : value;
  return { values: parsed.values.map(named), problems: parsed.problems };
};

/**
 * Parses YAML of one or several documents. Long Lists are parsed by item, so that their memory is that
 * of what comes out, and items that are plain block YAML the quick way.
 */
export const parseYaml = (
  text: string,
  file: string,
  onDone: (characters: number) => void = () => {},
): ParsedYaml => {
  const whole: Part = { text, lineBefore: 0 };
  if (text.length < longText) return parseDocuments(text, file, 0);
  const values: unknown[] = [];
  const problems: Problem[] = [];
  let done = 0;
  const take = (parsed: ParsedYaml): void => {
    for (const value of parsed.values) values.push(value);
    for (const problem of parsed.problems) problems.push(problem);
  };
  for (const document of partsOf(whole, isMarker)) {
    const list = itemsOf(document);
    if (list === undefined) {
      take(parseDocuments(document.text, file, document.lineBefore));
      continue;
    }
    if (/^apiVersion:/m.test(list.rest) && !/^kind:/m.test(list.rest)) {
      take(cutOff(file));
      continue;
    }
    const kind = typedKind(list.rest);
    for (const item of list.items) {
      take(parseItem(item, file, kind));
      done += item.text.length;
      onDone(done);
    }
  }
  return { values, problems };
};
