import type { Command } from 'commander';
import { type LookNow, lookNow } from '#wiring/look-now.ts';
import { CommandError } from '../command-error.ts';
import { withStack } from '../options.ts';
import { printJson, reaching } from '../print.ts';
import { renderLook } from '../render/look.ts';
import { styleOf } from '../render/style.ts';
import { plain } from '../render/text.ts';

interface ScaleUpOptions {
  readonly stack: string;
  readonly cluster: string;
  readonly json?: boolean;
}

const exitOf = ({ outcome }: LookNow): void => {
  if (outcome.status === 'held') process.exitCode = 1;
  if (outcome.status !== 'failed') return;
  const { code = 'unexpected', message = '' } = outcome.error ?? {};
  const line = plain(`outrider scale-up: ${message}`);
  throw new CommandError(code === 'invalid' || code === 'notFound' ? 2 : 3, line);
};

const runScaleUp = async ({ stack, cluster, json }: ScaleUpOptions): Promise<void> => {
  const look = await reaching('scale-up', lookNow({ stack, cluster }));
  if (json === true) printJson(look);
  else process.stdout.write(renderLook(look, styleOf(process.stdout)));
  exitOf(look);
};

export const register = (program: Command): void => {
  withStack(program.command('scale-up'))
    .description('take one look at a cluster from this machine, and act on it as the functions do')
    .requiredOption('--cluster <name>', 'the cluster')
    .option('--json', 'print one JSON document')
    .action(runScaleUp);
};
