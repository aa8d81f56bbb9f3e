import type { Command } from 'commander';
import type { ReplayOutcome } from '#operations/replay.ts';
import { replayDecision } from '#wiring/replay-decision.ts';
import { parseText, withStackIfNamed } from '../options.ts';
import { commandErrorOf } from '../port-failure.ts';
import { printJson } from '../print.ts';
import { renderDecision } from '../render/decision.ts';
import { styleOf } from '../render/style.ts';
import { elide, plain, wrapUnder } from '../render/text.ts';
import { say } from '../say.ts';

const longestValue = 200;

const verdictOf = (difference: ReplayOutcome['difference']): string => {
  if (difference === undefined) return 'the same decision, byte for byte';
  const { path, journalled, replayed } = difference;
  const shown = (text: string): string => elide(plain(text), longestValue);
  const where = path === '' ? 'the decision' : plain(path);
  return `another decision: ${where} was ${shown(journalled)}, is ${shown(replayed)}`;
};

/**
 * Takes a journalled decision again; standard output has the decision as this engine decides it, and
 * for people the verdict.
 */
const runReplay = async (
  which: string,
  options: { readonly json?: boolean; readonly stack?: string },
): Promise<void> => {
  const { outcome, cluster } = await replayDecision(which, options.stack).catch(
    (error: unknown) => {
      throw commandErrorOf('replay', error);
    },
  );
  const { decision, difference } = outcome;
  const verdict = verdictOf(difference);
  if (options.json === true) {
    printJson(decision);
    say(verdict);
  } else {
    const style = styleOf(process.stdout);
    const lines = wrapUnder('  ', verdict, style.width);
    process.stdout.write(`${renderDecision(decision, cluster, style)}${lines.join('\n')}\n`);
  }
  if (difference !== undefined) process.exitCode = 1;
};

export const register = (program: Command): void => {
  withStackIfNamed(program.command('replay'))
    .description('take a journalled decision again and compare it byte for byte')
    .argument(
      '<file-or-id>',
      'a record of the decisions bucket, or cluster/scale-up/number',
      parseText('a file, or an ID such as demo/scale-up/17'),
    )
    .option('--json', 'print one JSON document')
    .action(runReplay);
};
