import type { Command } from 'commander';
import { lookNow } from '#wiring/look-now.ts';
import { clusterOption, withStack } from '../options.ts';
import { failureError } from '../port-failure.ts';
import { printJson, reaching } from '../print.ts';
import { renderLook } from '../render/look.ts';
import { styleOf } from '../render/style.ts';

interface ScaleUpOptions {
  readonly stack: string;
  readonly cluster: string;
  readonly json?: boolean;
}

const runScaleUp = async ({ stack, cluster, json }: ScaleUpOptions): Promise<void> => {
  const look = await reaching('scale-up', lookNow({ stack, cluster }));
  const { status, error } = look.outcome;
  if (json === true) printJson(look);
  // A look that came to nothing has its one line on standard error.
  else if (status !== 'failed' || look.decision !== undefined) {
    process.stdout.write(renderLook(look, Date.now(), styleOf(process.stdout)));
  }
  if (status === 'held') process.exitCode = 1;
  if (status !== 'failed') return;
  throw failureError('scale-up', error ?? { code: 'unexpected', message: 'it failed' });
};

export const register = (program: Command): void => {
  withStack(program.command('scale-up'))
    .description('take one look at a cluster from this machine, and act on it as the functions do')
    .requiredOption(...clusterOption('the cluster'))
    .option('--json', 'print one JSON document')
    .action(runScaleUp);
};
