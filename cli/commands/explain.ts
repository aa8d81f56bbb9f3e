import type { Command } from 'commander';
import { problemLine } from '#config/words.ts';
import type { ExplainOutcome } from '#operations/explain.ts';
import { explainDeployedPod, explainRecordedPod } from '#wiring/explain.ts';
import { CommandError } from '../command-error.ts';
import { clusterOption, defaultStack, parsePath, withStackIfNamed } from '../options.ts';
import { parseTime } from '../parse-time.ts';
import { printJson, reaching } from '../print.ts';
import { createProgressLine } from '../progress-line.ts';
import { renderExplanation } from '../render/explanation.ts';
import { renderReading } from '../render/plan.ts';
import { styleOf } from '../render/style.ts';
import { plain } from '../render/text.ts';
import { say } from '../say.ts';

interface ExplainOptions {
  readonly snapshot?: string;
  readonly configuration?: string;
  readonly stack?: string;
  readonly cluster?: string;
  readonly now?: string;
  readonly nodes?: boolean;
  readonly json?: boolean;
}

const wrong = (text: string): CommandError => new CommandError(2, `outrider explain: ${text}`);

const explainOffline = (
  pod: string,
  options: ExplainOptions & { readonly snapshot: string },
): Promise<ExplainOutcome> => {
  const { snapshot, configuration, cluster, now, nodes = false } = options;
  const progress = createProgressLine(process.stderr);
  return explainRecordedPod(
    {
      snapshot,
      onProgress: (state) => progress.show(renderReading(state)),
      ...(configuration === undefined ? {} : { configuration }),
    },
    {
      pod,
      nodes,
      ...(cluster === undefined ? {} : { cluster }),
      ...(now === undefined ? {} : { nowMs: parseTime('--now', now) }),
    },
  ).finally(progress.clear);
};

/** Options of the other way to ask are mistakes: what they say would be passed over. */
const explainedBy = async (pod: string, options: ExplainOptions): Promise<ExplainOutcome> => {
  const { snapshot, stack, cluster, nodes = false } = options;
  if (snapshot !== undefined) {
    if (stack !== undefined)
      throw wrong('--stack is of a live cluster: leave it out, or --snapshot');
    return explainOffline(pod, { ...options, snapshot });
  }
  for (const option of ['configuration', 'now'] as const) {
    if (options[option] !== undefined) throw wrong(`--${option} goes with --snapshot PATH`);
  }
  if (cluster === undefined) {
    throw wrong('name a recorded cluster (--snapshot PATH) or a live one (--cluster NAME)');
  }
  return explainDeployedPod({ pod, nodes, cluster, stack: stack ?? defaultStack });
};

/** Tells why one pod runs, will run or cannot, and what would help; standard error has notes and problems. */
const runExplain = async (pod: string, options: ExplainOptions): Promise<void> => {
  const outcome = await reaching('explain', explainedBy(pod, options));
  if ('refused' in outcome) throw wrong(plain(outcome.refused));
  for (const note of outcome.notes) say(plain(note));
  for (const problem of outcome.problems) say(`problem: ${plain(problemLine(problem))}`);
  if (options.json === true) printJson(outcome);
  else process.stdout.write(renderExplanation(outcome, styleOf(process.stdout)));
};

export const register = (program: Command): void => {
  withStackIfNamed(program.command('explain'))
    .description('why a pod runs, will run or cannot, and what would help, each remedy tried out')
    .argument('<pod>', 'NAMESPACE/POD')
    .option('--snapshot <path>', 'file or folder with output of kubectl and aws', parsePath)
    .option('--configuration <file>', 'outrider.yaml to judge by, with --snapshot', parsePath)
    .option(...clusterOption('the live cluster; with --snapshot the one of several'))
    .option('--now <time>', 'the time, RFC 3339, with --snapshot; default: the newest in it')
    .option('--nodes', 'ask every node too')
    .option('--json', 'print one JSON document')
    .action(runExplain);
};
