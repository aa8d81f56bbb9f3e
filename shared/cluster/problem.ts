import { counted } from './counted.ts';

/**
 * Something in the input that could not be used, told so that a person can mend it. The rest of the
 * input is still used. `code` is a stable camelCase word; `message` names the value and the remedy.
 */
export interface Problem {
  /** The file or object list it came from, where there is one. */
  readonly file?: string;
  /** Path of the field: `pods[default/web-1].spec.containers[0].resources.requests.cpu`. */
  readonly field?: string;
  readonly code: string;
  readonly message: string;
}

/** One problem as one line: `file:line: field: what and what to do`. */
export const problemLine = ({ file, field, message }: Omit<Problem, 'code'>): string =>
  [file, field, message.replace(/\s*\n\s*/g, ' ')].filter((part) => part !== undefined).join(': ');

/** Several problems in one line: the first, and how many more there are. */
export const firstProblemLine = ([first, ...more]: readonly Problem[]): string => {
  const rest = more.length === 0 ? '' : ` (and ${counted(more.length, 'more problem')})`;
  return first === undefined ? '' : `${problemLine(first)}${rest}`;
};
