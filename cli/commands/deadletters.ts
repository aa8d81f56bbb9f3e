import type { Command } from 'commander';
import { counted } from '#config/words.ts';
import type { FailedBox, LettersInFlight } from '#operations/dead-letters.ts';
import { listLetters, retryLetters, type WhichLetters } from '#wiring/dead-letters.ts';
import { CommandError } from '../command-error.ts';
import { parseCount, parseEach, parseName, parseText, withStack } from '../options.ts';
import { failureError } from '../port-failure.ts';
import { printJson, reaching } from '../print.ts';
import { renderLetters } from '../render/letters.ts';
import { styleOf } from '../render/style.ts';
import { plain } from '../render/text.ts';
import { say } from '../say.ts';

interface LetterOptions {
  readonly stack: string;
  readonly network?: string;
  readonly limit: number;
  readonly json?: boolean;
}

const whichOf = ({ stack, network }: LetterOptions): WhichLetters => ({
  stack,
  ...(network === undefined ? {} : { network }),
});

/** Ends the command as the first of them would have, when the other networks are done. */
const tellFailed = (command: string, failed: readonly FailedBox[]): void => {
  for (const { network, code, message } of failed) {
    const { message: line, exitCode } = failureError(`${command}: network ${network}`, {
      code,
      message,
    });
    say(line);
    process.exitCode ??= exitCode;
  }
};

const tellInFlight = ({ network, count, visibleBy }: LettersInFlight): void =>
  say(
    plain(
      `${counted(count, 'letter')} of network ${network} in flight: another reader has taken them, or died over them; they can be taken again by ${visibleBy}: give the command again then`,
    ),
  );

const runList = async (options: LetterOptions): Promise<void> => {
  const { limit } = options;
  const { letters, failed, more } = await reaching(
    'deadletters list',
    listLetters(whichOf(options), limit),
  );
  if (options.json === true) printJson(letters);
  else if (letters.length === 0 && failed.length === 0) process.stdout.write('no dead letters\n');
  else process.stdout.write(renderLetters(letters, styleOf(process.stdout)));
  if (more) say(`there may be more than ${limit}: give a greater --limit`);
  tellFailed('deadletters list', failed);
};

interface RetryOptions extends LetterOptions {
  readonly all?: boolean;
}

const runRetry = async (ids: readonly string[], options: RetryOptions): Promise<void> => {
  if ((options.all === true) === ids.length > 0) {
    throw new CommandError(2, 'outrider deadletters retry: give IDs of letters, or --all');
  }
  const result = await reaching(
    'deadletters retry',
    retryLetters(whichOf(options), {
      ...(options.all === true ? {} : { ids }),
      limit: options.limit,
      // Said as it is done: whoever stops the command half way knows what went.
      onRetried: ({ id, network }) => say(plain(`sent back: ${id} (network ${network})`)),
    }),
  );
  const { retried, notFound, inFlight, failed, more } = result;
  if (options.json === true) printJson(result);
  else process.stdout.write(`${counted(retried.length, 'letter')} sent back\n`);
  for (const id of notFound) say(plain(`not found: ${id}: see outrider deadletters list`));
  if (more)
    say(`only ${counted(options.limit, 'letter')} looked at; give the command again for the rest`);
  for (const some of inFlight) tellInFlight(some);
  tellFailed('deadletters retry', failed);
  if (notFound.length > 0 || inFlight.length > 0) process.exitCode ??= 1;
};

export const register = (program: Command): void => {
  const group = program
    .command('deadletters')
    .helpCommand(false)
    .description('messages that nothing could be done with: read them, or have them tried again');
  withStack(group.command('list'))
    .description('read dead letters and leave them where they are')
    .option('--network <name>', 'of one network; default: all', parseName)
    .option('--limit <n>', 'how many at most', parseCount(1000), 100)
    .option('--json', 'print one JSON document')
    .action(runList);
  withStack(group.command('retry'))
    .description('send dead letters back to their queue; stopped half way, one may come twice')
    .argument('[id...]', 'ids as list prints them', parseEach(parseText('an ID')))
    .option('--all', 'every letter that is there now')
    .option('--network <name>', 'of one network; default: all', parseName)
    .option('--limit <n>', 'how many are looked at in each queue', parseCount(10_000), 1000)
    .option('--json', 'print one JSON document')
    .action(runRetry);
};
