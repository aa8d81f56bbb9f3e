import { failureOf } from '#operations/failure.ts';
import { CommandError } from './command-error.ts';
import { plain } from './render/text.ts';

/**
 * What a failed read means to the person at the keyboard: wrong input (2) or a world out of reach (3).
 * Unknown errors are handed back as they are.
 */
export const commandErrorOf = (command: string, error: unknown): unknown => {
  const { code, message } = failureOf(error);
  if (code === 'unexpected') return error;
  const line = `outrider ${command}: ${plain(message.replace(/\s*\n\s*/g, ' '))}`;
  const wrongInput = code === 'invalid' || code === 'notFound';
  return new CommandError(wrongInput ? 2 : 3, line, { cause: error });
};
