import { PortError } from '#ports/port-error.ts';
import { textBytes } from './decode-text.ts';
import { readBytes } from './read-bytes.ts';

/** Configurations and scenarios are written by people: more than this is another kind of file. */
const mostBytes = 4 * 1024 * 1024;

/** A small text file. Throws `notFound` or `invalid`, with the remedy. */
export const readTextFile = async (path: string): Promise<string> => {
  const text = textBytes(await readBytes(path, { mostBytes }));
  if ('code' in text) throw new PortError('invalid', `${path} ${text.message}`);
  return text.bytes.toString('utf8');
};
