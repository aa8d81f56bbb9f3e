import { PortError } from '#ports/port-error.ts';
import { CommandError } from './command-error.ts';
import { plain } from './render/text.ts';

/**
 * What a failed read means to the person at the keyboard: wrong input (2) or a world out of reach (3).
 * Other errors are handed back as they are.
 */
export const commandErrorOf = (command: string, error: unknown): unknown => {
  if (!(error instanceof PortError)) return error;
  const wrongInput = error.code === 'invalid' || error.code === 'notFound';
  const message = plain(error.message.replace(/\s*\n\s*/g, ' '));
  return new CommandError(wrongInput ? 2 : 3, `outrider ${command}: ${message}`, { cause: error });
};
