import type { Command } from 'commander';
import { examine } from '#wiring/doctor.ts';
import { clusterOption, parsePath, withStack } from '../options.ts';
import { printJson, reaching } from '../print.ts';
import { renderReport } from '../render/doctor.ts';
import { styleOf } from '../render/style.ts';

interface DoctorOptions {
  readonly stack: string;
  readonly cluster?: string;
  readonly configuration?: string;
  readonly json?: boolean;
}

const runDoctor = async (options: DoctorOptions): Promise<void> => {
  const { stack, cluster, configuration } = options;
  const report = await reaching(
    'doctor',
    examine({
      stack,
      ...(cluster === undefined ? {} : { cluster }),
      ...(configuration === undefined ? {} : { configuration }),
    }),
  );
  if (options.json === true) printJson(report);
  else process.stdout.write(renderReport(report, styleOf(process.stdout)));
  if (report.summary.fail > 0) process.exitCode = 1;
};

export const register = (program: Command): void => {
  withStack(program.command('doctor'))
    .description('examine a deployment from end to end, and say what to mend')
    .option(...clusterOption('one cluster; default: all of the deployment'))
    .option('--configuration <file>', 'an outrider.yaml that should be what is deployed', parsePath)
    .option('--json', 'print one JSON document')
    .action(runDoctor);
};
