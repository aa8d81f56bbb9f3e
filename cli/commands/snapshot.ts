import type { Command } from 'commander';
import { problemLine } from '#config/words.ts';
import { recordLiveCluster } from '#wiring/live-snapshot.ts';
import { clusterOption, parsePath, withStack } from '../options.ts';
import { printJson, reaching } from '../print.ts';
import { styleOf } from '../render/style.ts';
import { plain, table, wrapUnder } from '../render/text.ts';
import { say } from '../say.ts';

interface SnapshotOptions {
  readonly stack: string;
  readonly cluster: string;
  readonly out: string;
  readonly json?: boolean;
}

const runSnapshot = async (options: SnapshotOptions): Promise<void> => {
  const { stack, cluster, out } = options;
  const recorded = await reaching('snapshot', recordLiveCluster({ stack, cluster, out }));
  for (const note of recorded.notes) say(plain(`note: ${note}`));
  for (const problem of recorded.problems) say(plain(`problem: ${problemLine(problem)}`));
  if (options.json === true) return printJson(recorded);
  const style = styleOf(process.stdout);
  const lines = [
    ...wrapUnder('  ', plain(`${cluster} recorded into ${out}`), style.width),
    ...table(
      [{ title: 'FILE' }, { title: 'ENTRIES', right: true }],
      recorded.files.map(({ file, count }) => [file, String(count)]),
      style.width - 2,
    ).map((line) => `  ${line}`),
    ...wrapUnder('  ', plain(`outrider plan --snapshot ${out}`), style.width),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
};

export const register = (program: Command): void => {
  withStack(program.command('snapshot'))
    .description('record a live cluster and its groups, without secrets, for outrider plan')
    .requiredOption(...clusterOption('the cluster'))
    .requiredOption('--out <folder>', 'where to; must not be there yet', parsePath)
    .option('--json', 'print one JSON document')
    .action(runSnapshot);
};
