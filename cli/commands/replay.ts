import type { Command } from 'commander';
import { replayDecision } from '#wiring/replay-decision.ts';
import { commandErrorOf } from '../port-failure.ts';
import { renderDecision } from '../render/decision.ts';
import { elide, plain } from '../render/text.ts';

const longestValue = 200;

/** Takes a journalled decision again; standard output has the decision as this engine decides it. */
const runReplay = async (which: string, options: { readonly json?: boolean }): Promise<void> => {
  const { outcome, cluster } = await replayDecision(which).catch((error: unknown) => {
    throw commandErrorOf('replay', error);
  });
  const { decision, difference } = outcome;
  process.stdout.write(
    options.json === true
      ? `${JSON.stringify(decision, null, 2)}\n`
      : renderDecision(decision, cluster),
  );
  if (difference === undefined) {
    process.stderr.write('the same decision, byte for byte\n');
    return;
  }
  const { path, journalled, replayed } = difference;
  const shown = (text: string): string => elide(plain(text), longestValue);
  process.stderr.write(
    `another decision: ${path === '' ? 'the decision' : plain(path)} was ${shown(journalled)}, is ${shown(replayed)}\n`,
  );
  process.exitCode = 1;
};

export const register = (program: Command): void => {
  program
    .command('replay')
    .description('take a journalled decision again and compare it byte for byte')
    .argument('<file-or-id>', 'a record of the decisions bucket, or cluster/scale-up/number')
    .option('--json', 'print one JSON document')
    .action(runReplay);
};
