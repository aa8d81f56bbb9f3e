import { parseArgs } from 'node:util';
import type { WorkloadOptions } from './workload.ts';
import { workloads } from './workloads.ts';

/*
 * `npm run bench -- --workload NAME [--size N] [--input FILE] [--budget SECONDS] [--plot FILE] [--json]`
 * With --json exactly one JSON document goes to standard output. Exit 2: the usage is wrong.
 */

class UsageError extends Error {}

const read = () => {
  try {
    return parseArgs({
      options: {
        workload: { type: 'string' },
        size: { type: 'string' },
        input: { type: 'string' },
        budget: { type: 'string' },
        plot: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    }).values;
  } catch (thrown) {
    throw new UsageError(thrown instanceof Error ? thrown.message : String(thrown));
  }
};

const positive = (option: string, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new UsageError(`--${option}: is ${text}; give a number above 0`);
};

const main = async (): Promise<void> => {
  const given = read();
  const workload = workloads.find(({ name }) => name === given.workload);
  if (workload === undefined) {
    const known = workloads.map(({ name, about }) => `${name} (${about})`).join(', ');
    throw new UsageError(
      `--workload: ${given.workload === undefined ? 'is missing' : `${given.workload} is unknown`}; give one of ${known}`,
    );
  }
  const size = positive('size', given.size);
  const budgetSeconds = positive('budget', given.budget);
  const options: WorkloadOptions = {
    ...(size === undefined ? {} : { size }),
    ...(given.input === undefined ? {} : { input: given.input }),
    ...(budgetSeconds === undefined ? {} : { budgetSeconds }),
    ...(given.plot === undefined ? {} : { plot: given.plot }),
  };
  const figures = await workload.run(options);
  const lines = given.json
    ? [JSON.stringify({ workload: workload.name, ...figures })]
    : workload.render(figures);
  process.stdout.write(`${lines.join('\n')}\n`);
};

try {
  await main();
} catch (thrown) {
  if (!(thrown instanceof UsageError)) throw thrown;
  process.stderr.write(`${thrown.message}\n`);
  process.exitCode = 2;
}
