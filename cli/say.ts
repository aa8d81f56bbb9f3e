import { type OutputStream, styleOf } from './render/style.ts';
import { wrapUnder } from './render/text.ts';

/**
 * Writes lines for people to standard error: wrapped at a terminal's width, whole through a pipe, where
 * a program may look for them.
 */
export const say = (
  text: string,
  stream: OutputStream & { write(text: string): boolean } = process.stderr,
): void => {
  for (const line of text.split('\n')) {
    const lines = stream.isTTY ? wrapUnder('  ', line, styleOf(stream).width) : [line];
    stream.write(`${lines.join('\n')}\n`);
  }
};
