import type { Command } from 'commander';
import { journalledDecision, journalOf } from '#wiring/read-journal.ts';
import { CommandError } from '../command-error.ts';
import { clusterOption, parseCount, parseText, withStackIfNamed } from '../options.ts';
import { printJson, reaching } from '../print.ts';
import { renderJournalled } from '../render/decision.ts';
import { decisionLines } from '../render/status.ts';
import { styleOf } from '../render/style.ts';
import { plain } from '../render/text.ts';
import { say } from '../say.ts';

interface JournalOptions {
  readonly stack?: string;
  readonly cluster?: string;
  readonly limit: number;
  readonly json?: boolean;
}

const list = async (cluster: string, { stack, limit, json }: JournalOptions): Promise<void> => {
  const decisions = await reaching('journal', journalOf(cluster, limit, stack));
  if (json === true) return printJson(decisions);
  if (decisions.length === 0) return say(plain(`no decision of ${cluster} is journalled yet`));
  process.stdout.write(`${decisionLines(decisions, styleOf(process.stdout)).join('\n')}\n`);
};

const show = async (id: string, { stack, json }: JournalOptions): Promise<void> => {
  const decision = await reaching('journal', journalledDecision(id, stack));
  if (json === true) return printJson(decision);
  process.stdout.write(renderJournalled(decision, styleOf(process.stdout)));
};

const runJournal = async (id: string | undefined, options: JournalOptions): Promise<void> => {
  if (id !== undefined && options.cluster === undefined) return show(id, options);
  if (id === undefined && options.cluster !== undefined) return list(options.cluster, options);
  throw new CommandError(
    2,
    'outrider journal: give --cluster NAME for a list, or an ID such as demo/scale-up/17',
  );
};

export const register = (program: Command): void => {
  withStackIfNamed(program.command('journal'))
    .description('decisions of a cluster, newest first; with an ID: that one and its reasons')
    .argument('[id]', 'cluster/scale-up/number', parseText('an ID such as demo/scale-up/17'))
    .option(...clusterOption('list the decisions of this cluster'))
    .option('--limit <n>', 'how many', parseCount(1000), 20)
    .option('--json', 'print one JSON document')
    .action(runJournal);
};
