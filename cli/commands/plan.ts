import type { Command } from 'commander';
import { problemLine } from '#config/words.ts';
import { planRecorded } from '#wiring/offline-plan.ts';
import { CommandError } from '../command-error.ts';
import { clusterOption, parsePath } from '../options.ts';
import { parseTime } from '../parse-time.ts';
import { commandErrorOf } from '../port-failure.ts';
import { printJson } from '../print.ts';
import { createProgressLine } from '../progress-line.ts';
import { renderPlan, renderReading } from '../render/plan.ts';
import { styleOf } from '../render/style.ts';
import { plain } from '../render/text.ts';
import { say } from '../say.ts';

interface PlanOptions {
  readonly snapshot: string;
  readonly configuration?: string;
  readonly cluster?: string;
  readonly now?: string;
  readonly json?: boolean;
  readonly failOnStuck?: boolean;
}

/** Tells what Outrider would do with a recorded cluster; standard error has notes and problems. */
const runPlan = async (options: PlanOptions): Promise<void> => {
  const nowMs = options.now === undefined ? undefined : parseTime('--now', options.now);
  const progress = createProgressLine(process.stderr);
  const outcome = await planRecorded(
    {
      onProgress: (state) => progress.show(renderReading(state)),
      snapshot: options.snapshot,
      ...(options.configuration === undefined ? {} : { configuration: options.configuration }),
    },
    {
      ...(options.cluster === undefined ? {} : { cluster: options.cluster }),
      ...(nowMs === undefined ? {} : { nowMs }),
    },
  )
    .catch((error: unknown) => {
      throw commandErrorOf('plan', error);
    })
    .finally(progress.clear);
  if ('refused' in outcome) throw new CommandError(2, `outrider plan: ${outcome.refused}`);
  const { plan, limits } = outcome;
  // People have the caveats beside the plan.
  const elsewhere = options.json === true ? [] : limits.caveats;
  for (const note of plan.notes) if (!elsewhere.includes(note)) say(plain(note));
  for (const problem of plan.problems) say(`problem: ${plain(problemLine(problem))}`);
  if (options.json === true) printJson(plan);
  else process.stdout.write(renderPlan(outcome, styleOf(process.stdout)));
  if (options.failOnStuck === true && plan.stuck.length > 0) process.exitCode = 1;
};

export const register = (program: Command): void => {
  const command = program.command('plan');
  const { outputError } = command.configureOutput();
  command
    .configureOutput({
      outputError: (text, write) => {
        const missing = /'--snapshot <path>' not specified/.test(text);
        const path = plain(command.args[0] ?? 'FOLDER');
        const remedy = missing ? `: write outrider plan --snapshot ${path}` : '';
        outputError?.(`${text.trimEnd()}${remedy}`, write);
      },
    })
    .description('what would be done with a recorded cluster: new nodes, and why pods stay Pending')
    .requiredOption('--snapshot <path>', 'file or folder with output of kubectl and aws', parsePath)
    .option(
      '--configuration <file>',
      'outrider.yaml to plan by; default: the one in the folder',
      parsePath,
    )
    .option(...clusterOption('cluster to plan for, where the configuration names several'))
    .option('--now <time>', 'the time of the plan, RFC 3339; default: the newest in the snapshot')
    .option('--json', 'print one JSON document')
    .option('--fail-on-stuck', 'exit 1 when a pod cannot be helped')
    .action(runPlan);
};
