import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type YAMLError,
} from 'yaml';
import type * as z from 'zod';
import type { Problem } from '#cluster/problem.ts';
import { fieldOf, problemsOfIssues } from './schema-problems.ts';
import { yamlFault } from './yaml-fault.ts';

export type Checked<T> = { readonly value: T } | { readonly problems: readonly Problem[] };

/** Configuration is written by people: more than this is a mistake, not a file. */
const longestText = 1024 * 1024;

/** An anchor may be used this many times all told before the file counts as a bomb. */
const mostAliases = 200;

/**
 * Finds the node that a path leads to, through aliases, and the offset where people will look for it:
 * the key where there is one. A path that leads nowhere (a missing key) ends at its last known parent.
 */
const offsetOf = (document: Document, path: readonly PropertyKey[]): number => {
  let node: unknown = document.contents;
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  for (const part of path) {
    if (isAlias(node)) node = node.resolve(document);
    let next: unknown;
    if (isMap(node)) {
      const pair = node.items.find(
        ({ key }) => isScalar(key) && String(key.value) === String(part),
      );
      if (pair === undefined) break;
      if (isNode(pair.key)) offset = pair.key.range?.[0] ?? offset;
      next = pair.value;
    } else if (isSeq(node)) {
      next = node.items[Number(part)];
      if (!isNode(next)) break;
      offset = next.range?.[0] ?? offset;
    } else {
      break;
    }
    node = next;
  }
  return offset;
};

const isDuplicate = ({ code }: YAMLError): boolean => code === 'DUPLICATE_KEY';

/**
 * After a fault of syntax (a tab, an open bracket) the parser misreads what follows, so the first in
 * the text stands for all. Keys that are there twice and unknown tags are a fault each.
 */
const worthTelling = (
  faults: readonly YAMLError[],
): { readonly told: readonly YAMLError[]; readonly following: number } => {
  const [first] = faults
    .filter((fault) => fault.name === 'YAMLParseError' && !isDuplicate(fault))
    .sort((a, b) => a.pos[0] - b.pos[0]);
  return first === undefined
    ? { told: faults.slice(0, 20), following: 0 }
    : { told: [first], following: faults.length - 1 };
};

/**
 * Reads one YAML document that a person wrote and checks it with a schema. Every problem carries the
 * line in `file` (`outrider.yaml:12`) and the path in `field`. Duplicate keys, several documents,
 * unknown tags and alias bombs are refused; nothing is thrown.
 */
export const readCheckedYaml = <T>(
  text: string,
  file: string,
  schema: z.ZodType<T>,
): Checked<T> => {
  const refuse = (code: string, message: string, line?: number): Checked<T> => ({
    problems: [{ file: line === undefined ? file : `${file}:${line}`, code, message }],
  });
  if (text.length > longestText) return refuse('tooLarge', 'more than 1 MiB: split or shorten it');
  const lines = new LineCounter();
  let document: Document;
  let raw: unknown;
  try {
    document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
    const faults = [...document.errors, ...document.warnings];
    if (faults.length > 0) {
      const { told, following } = worthTelling(faults);
      const rest = following === 0 ? '' : ` (${following} more follow from it)`;
      return {
        problems: told.map((fault) => ({
          file: `${file}:${lines.linePos(fault.pos[0]).line}`,
          code: isDuplicate(fault) ? 'duplicateKey' : 'notYaml',
          message: `${yamlFault(fault)}: mend the YAML here${rest}`,
        })),
      };
    }
    raw = document.toJS({ maxAliasCount: mostAliases });
  } catch (error) {
    // Alias bombs and unknown anchors (ReferenceError), nesting beyond the stack (RangeError).
    return refuse('notYaml', `${yamlFault(error)}: write it out with fewer aliases and levels`);
  }
  if (raw === null || raw === undefined) return refuse('empty', 'the file says nothing', 1);
  const checked = schema.safeParse(raw, { reportInput: true });
  if (checked.success) return { value: checked.data };
  return {
    problems: problemsOfIssues(checked.error.issues).map(({ path, code, message }) => {
      const field = fieldOf(path);
      return {
        file: `${file}:${lines.linePos(offsetOf(document, path)).line}`,
        ...(field === '' ? {} : { field }),
        code,
        message,
      };
    }),
  };
};
