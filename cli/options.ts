import { type Command, InvalidArgumentError } from 'commander';

/** The stack of the project's own app. */
export const defaultStack = 'Outrider';

/** Names the deployment of a command that speaks to one. */
export const withStack = (command: Command): Command =>
  command.option('--stack <name>', 'CloudFormation stack of the deployment', defaultStack);

/** A whole number of at least one. Throws what commander tells of an option. */
export const parseCount =
  (most: number) =>
  (text: string): number => {
    const count = Number(text);
    if (!/^\d{1,9}$/.test(text) || count < 1 || count > most) {
      throw new InvalidArgumentError(`Use a whole number from 1 to ${most}.`);
    }
    return count;
  };
