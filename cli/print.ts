import { commandErrorOf } from './port-failure.ts';

/** What a terminal obeys or does not show; the line ends that JSON itself is laid out with stay. */
const unprintable = /(?!\n)[\p{Cc}\p{Cf}\u2028\u2029]/gu;

const byNumber = (sign: string): string =>
  sign
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/**
 * Prints the one JSON document of a command. Names and messages in it may be anybody's: what could steer a terminal is
 * written by its number, which any reader of JSON takes for the same text.
 */
export const printJson = (document: unknown): void => {
  const text = JSON.stringify(document, null, 2).replace(unprintable, byNumber);
  process.stdout.write(`${text}\n`);
};

/** Waits for what a command asked of the world; what fails there ends the command in its own words. */
export const reaching = async <T>(command: string, work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    throw commandErrorOf(command, error);
  }
};
