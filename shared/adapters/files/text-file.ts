import { readFile } from 'node:fs/promises';
import { PortError } from '#ports/port-error.ts';
import { textBytes } from './decode-text.ts';
import { systemError } from './list-files.ts';

/** A small text file. Throws `notFound` or `invalid`, with the remedy. */
export const readTextFile = async (path: string): Promise<string> => {
  let raw: Buffer;
  try {
    raw = await readFile(path);
  } catch (error) {
    const code = (error as { readonly code?: string }).code === 'ENOENT' ? 'notFound' : 'invalid';
    throw new PortError(code, `${path} ${systemError(error)}`, { cause: error });
  }
  const text = textBytes(raw);
  if ('code' in text) throw new PortError('invalid', `${path} ${text.message}`);
  return text.bytes.toString('utf8');
};
