import type { Problem } from '#cluster/problem.ts';
import { plain } from './text.ts';

/** One line: file, field, what is wrong and the remedy. */
export const problemLine = ({ file, field, message }: Problem): string => {
  const place = [file, field].filter((part) => part !== undefined).join(' ');
  return plain(place === '' ? message : `${place}: ${message}`);
};
