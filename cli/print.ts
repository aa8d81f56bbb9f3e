import { commandErrorOf } from './port-failure.ts';

/** Prints the one JSON document of a command. */
export const printJson = (document: unknown): void => {
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
};

/** Waits for what a command asked of the world; what fails there ends the command in its own words. */
export const reaching = async <T>(command: string, work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    throw commandErrorOf(command, error);
  }
};
