import type { Command } from 'commander';
import { statusOf } from '#wiring/status.ts';
import { clusterOption, parseCount, withStack } from '../options.ts';
import { printJson, reaching } from '../print.ts';
import { renderStatus } from '../render/status.ts';
import { styleOf } from '../render/style.ts';
import { say } from '../say.ts';

interface StatusOptions {
  readonly stack: string;
  readonly cluster?: string;
  readonly decisions: number;
  readonly json?: boolean;
}

/**
 * With `--cluster` the document is that cluster's. Without, it has `clusters`; where there is one alone, its
 * fields stand beside that as well, so that a script for one cluster needs no option.
 */
const runStatus = async (options: StatusOptions): Promise<void> => {
  const { stack, cluster, decisions } = options;
  const found = await reaching(
    'status',
    statusOf({ stack, decisions, ...(cluster === undefined ? {} : { cluster }) }),
  );
  const [first, ...others] = found;
  if (options.json === true) {
    const only = others.length === 0 ? first : undefined;
    printJson(cluster === undefined ? { ...only, clusters: found } : only);
    return;
  }
  if (first === undefined) say(`stack ${stack} looks after no cluster: name some in outrider.yaml`);
  const style = styleOf(process.stdout);
  const nowMs = Date.now();
  process.stdout.write(found.map((status) => renderStatus(status, nowMs, style)).join('\n'));
};

export const register = (program: Command): void => {
  withStack(program.command('status'))
    .description('how clusters are doing: nodes, work under way, back-offs, latest decisions')
    .option(...clusterOption('one cluster; default: all of the deployment'))
    .option('--decisions <n>', 'how many decisions of each', parseCount(100), 5)
    .option('--json', 'print one JSON document')
    .action(runStatus);
};
