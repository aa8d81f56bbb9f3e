import type { Problem } from '#cluster/problem.ts';

/** One problem as one line: `file:line: field: what and what to do`. */
export const problemLine = ({ file, field, message }: Problem): string =>
  [file, field, message.replace(/\s*\n\s*/g, ' ')].filter((part) => part !== undefined).join(': ');
