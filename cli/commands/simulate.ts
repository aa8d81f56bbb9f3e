import { type Command, InvalidArgumentError } from 'commander';
import { packageVersion } from '#config/package-version.ts';
import { problemLine } from '#config/words.ts';
import { openScenario, simulate } from '#wiring/simulation.ts';
import { CommandError } from '../command-error.ts';
import { parsePath } from '../options.ts';
import { commandErrorOf } from '../port-failure.ts';
import { printJson } from '../print.ts';
import { createProgressLine } from '../progress-line.ts';
import { renderEvent, renderProgress, renderSummary, renderTitle } from '../render/simulation.ts';
import { styleOf } from '../render/style.ts';
import { plain } from '../render/text.ts';

interface SimulateOptions {
  readonly json?: boolean;
  readonly seed?: number;
}

const parseSeed = (text: string): number => {
  const seed = Number(text);
  if (!/^\d{1,10}$/.test(text) || seed > 2_147_483_647) {
    throw new InvalidArgumentError('Use a whole number from 0 to 2147483647.');
  }
  return seed;
};

const play = async (file: string | undefined, options: SimulateOptions): Promise<void> => {
  const opened = await openScenario(file).catch((error: unknown) => {
    throw commandErrorOf('simulate', error);
  });
  if ('problems' in opened) {
    throw new CommandError(
      2,
      opened.problems.map((problem) => plain(problemLine(problem))).join('\n'),
    );
  }
  const { scenario } = opened;
  const style = styleOf(process.stdout);
  const progress = createProgressLine(process.stderr);
  const write = (text: string): void => {
    if (options.json === true) return;
    progress.clear();
    process.stdout.write(text);
  };
  write(renderTitle(scenario.title, options.seed ?? scenario.world.seed, style));
  const story = simulate(scenario, {
    engineVersion: packageVersion(),
    ...(options.seed === undefined ? {} : { seed: options.seed }),
    onProgress: (state) => progress.show(renderProgress(state)),
  });
  for (let next = await story.next(); ; next = await story.next()) {
    if (next.done === true) {
      progress.clear();
      if (options.json === true) printJson(next.value);
      else write(renderSummary(next.value, style));
      return;
    }
    write(renderEvent(next.value, style));
  }
};

export const register = (program: Command): void => {
  program
    .command('simulate')
    .description(
      'play a scenario in a simulated account and cluster, and tell what happens and why',
    )
    .argument('[file]', 'scenario file; without one, examples/first-pods.yaml', parsePath)
    .option('--json', 'print the closing figures as one JSON document')
    .option('--seed <n>', "another seed than the scenario's own", parseSeed)
    .action(play);
};
