import type { Plan } from '#operations/plan.ts';
import { plain } from './text.ts';

/** One line: file, field, what is wrong and the remedy. */
export const problemLine = ({ file, field, message }: Plan['problems'][number]): string => {
  const place = [file, field].filter((part) => part !== undefined).join(' ');
  return plain(place === '' ? message : `${place}: ${message}`);
};
