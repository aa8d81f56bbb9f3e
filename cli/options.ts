import { type Command, InvalidArgumentError } from 'commander';

/** The stack of the project's own app. */
export const defaultStack = 'Outrider';

/** Anything but nothing. Throws what commander tells of an option. */
export const parseText =
  (what: string) =>
  (text: string): string => {
    if (text.trim() === '') throw new InvalidArgumentError(`Give ${what}.`);
    return text;
  };

export const parseName = parseText('a name');
export const parsePath = parseText('a path');

/** Several of them, as commander collects them. */
export const parseEach =
  (parse: (text: string) => string) =>
  (text: string, before: readonly string[] = []): readonly string[] => [...before, parse(text)];

/** `--cluster`, for `option` and `requiredOption` alike. */
export const clusterOption = (description: string) =>
  ['--cluster <name>', description, parseName] as const;

/** Names the deployment of a command that speaks to one. */
export const withStack = (command: Command): Command =>
  command.option(
    '--stack <name>',
    'CloudFormation stack of the deployment',
    parseName,
    defaultStack,
  );

/** The same where other means than a stack may name it: no default of its own. */
export const withStackIfNamed = (command: Command): Command =>
  command.option(
    '--stack <name>',
    'CloudFormation stack of the deployment (default: "Outrider")',
    parseName,
  );

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
