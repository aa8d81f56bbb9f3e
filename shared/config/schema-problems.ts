import * as z from 'zod';
import { nearestKey } from './nearest-key.ts';

export interface SchemaProblem {
  readonly path: readonly PropertyKey[];
  readonly code: string;
  readonly message: string;
}

/** `clusters[0].scaling.startLimit`; keys that are no plain word are quoted. */
export const fieldOf = (path: readonly PropertyKey[]): string => {
  let field = '';
  for (const part of path) {
    if (typeof part === 'number') field += `[${part}]`;
    else if (/^[A-Za-z_][\w-]*$/.test(String(part)))
      field += `${field === '' ? '' : '.'}${String(part)}`;
    else field += `[${JSON.stringify(String(part))}]`;
  }
  return field;
};

/** What a value is called to people, cut to a length that fits a line. */
export const shown = (value: unknown): string => {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'a map';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
};

/** An object that refuses unknown keys and names the one that was probably meant. */
export const section = <Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
): z.ZodObject<Shape, z.core.$strict> => {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return undefined;
      return (issue.keys as readonly string[])
        .map((key) => {
          const meant = nearestKey(key, known);
          const remedy =
            meant === undefined ? `known here are ${known.join(', ')}` : `did you mean ${meant}?`;
          return `unknown key ${JSON.stringify(key)}: ${remedy}`;
        })
        .join('\n');
    },
  });
};

/** YAML's words for what the schema expects. */
const words: Readonly<Record<string, string>> = {
  object: 'map',
  record: 'map',
  array: 'list',
  int: 'whole number',
};

const messageOf = (issue: z.core.$ZodIssue): string => {
  const got = shown(issue.input);
  switch (issue.code) {
    case 'invalid_type': {
      const expected = words[issue.expected] ?? issue.expected;
      if (issue.input === undefined) return `missing: give a ${expected}`;
      const quote = issue.expected === 'string' && typeof issue.input !== 'object';
      return `is ${got}, not a ${expected}${quote ? ': put it in quotes' : ''}`;
    }
    case 'invalid_value':
      return `is ${got}: use ${issue.values.map((value) => String(value)).join(' or ')}`;
    case 'too_small':
      return `is ${got}: ${issue.origin === 'array' ? 'give' : 'use'} at least ${issue.minimum}`;
    case 'too_big':
      return `is ${got}: ${issue.origin === 'array' ? 'give' : 'use'} at most ${issue.maximum}`;
    case 'custom':
      return issue.message;
    default:
      return `is ${got}: ${issue.message}`;
  }
};

/** How far a branch of a union got before it failed: the deepest is the one that was meant. */
const depth = (issues: readonly z.core.$ZodIssue[]): number =>
  Math.max(
    0,
    ...issues.map((issue) => issue.path.length + (issue.code === 'unrecognized_keys' ? 1 : 0)),
  );

/** One problem per fault, said in one line; a union reports the branch that was probably meant. */
export const problemsOfIssues = (
  issues: readonly z.core.$ZodIssue[],
  parent: readonly PropertyKey[] = [],
): readonly SchemaProblem[] =>
  issues.flatMap((issue) => {
    const path = [...parent, ...issue.path];
    if (issue.code === 'unrecognized_keys') {
      const messages = issue.message.split('\n');
      return issue.keys.map((key, index) => ({
        path: [...path, key],
        code: 'unknownKey',
        message: messages[index] ?? `unknown key ${JSON.stringify(key)}`,
      }));
    }
    if (issue.code === 'invalid_union' && issue.errors.length > 0) {
      const deepest = Math.max(...issue.errors.map(depth));
      const meant = issue.errors.find((branch) => depth(branch) === deepest) ?? [];
      if (deepest > 0) return problemsOfIssues(meant, path);
      return [{ path, code: 'invalid', message: issue.message }];
    }
    if (issue.code === 'invalid_key') {
      return problemsOfIssues(issue.issues, []).map(({ code, message }) => ({
        path,
        code,
        message,
      }));
    }
    const code = issue.code === 'invalid_type' && issue.input === undefined ? 'missing' : 'invalid';
    return [{ path, code, message: messageOf(issue) }];
  });
