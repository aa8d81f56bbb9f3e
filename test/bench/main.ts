import { parseArgs } from 'node:util';
import { UsageError } from './usage-error.ts';
import type { WorkloadOptions } from './workload.ts';
import { workloads } from './workloads.ts';

/* With --json exactly one JSON document goes to standard output. Exit 2: the usage is wrong. */

const usage =
  'npm run bench -- --workload NAME [--size N] [--pending N] [--kinds N] [--groups N] [--input FILE] [--budget SECONDS] [--plot FILE] [--json]';

const help = (): readonly string[] => [
  `Usage: ${usage}`,
  '',
  'Workloads:',
  ...workloads.flatMap(({ name, about, options }) => [
    `  ${name.padEnd(12)} ${about}`,
    ...options.map((option) => `${' '.repeat(15)}${option}`),
  ]),
  '',
  '--json prints one document: wallSeconds, cpuSeconds (user and system time, a median), coldCpuSeconds',
  "(of the first run), peakMemoryMiB and the workload's own figures.",
];

const read = () => {
  try {
    return parseArgs({
      options: {
        workload: { type: 'string' },
        size: { type: 'string' },
        pending: { type: 'string' },
        kinds: { type: 'string' },
        groups: { type: 'string' },
        input: { type: 'string' },
        budget: { type: 'string' },
        plot: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (thrown) {
    const [said = ''] = (thrown instanceof Error ? thrown.message : String(thrown)).split(
      /\.?\s*\n|\. /,
    );
    throw new UsageError(`${said}; usage: ${usage}`);
  }
};

type Given = ReturnType<typeof read>;

const positive = (option: 'budget', given: Given): number | undefined => {
  const text = given[option];
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new UsageError(`--${option}: is ${text}; give a number above 0`);
};

const count = (option: 'size' | 'pending' | 'kinds' | 'groups', given: Given) => {
  const text = given[option];
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new UsageError(`--${option}: is ${text}; give a whole number above 0`);
};

const optionsOf = (given: Given): WorkloadOptions => {
  const options: Record<keyof WorkloadOptions, number | string | undefined> = {
    size: count('size', given),
    pending: count('pending', given),
    kinds: count('kinds', given),
    groups: count('groups', given),
    input: given.input,
    budgetSeconds: positive('budget', given),
    plot: given.plot,
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
};

const print = (lines: readonly string[]) => process.stdout.write(`${lines.join('\n')}\n`);

const main = async (): Promise<void> => {
  const given = read();
  if (given.help) {
    print(help());
    return;
  }
  const workload = workloads.find(({ name }) => name === given.workload);
  if (workload === undefined) {
    const known = workloads.map(({ name, about }) => `${name} (${about})`).join(', ');
    throw new UsageError(
      `--workload: ${given.workload === undefined ? 'is missing' : `${given.workload} is unknown`}; give one of ${known}`,
    );
  }
  const figures = await workload.run(optionsOf(given));
  print(
    given.json
      ? [JSON.stringify({ workload: workload.name, ...figures })]
      : workload.render(figures),
  );
};

try {
  await main();
} catch (thrown) {
  if (!(thrown instanceof UsageError)) throw thrown;
  process.stderr.write(`${thrown.message}\n`);
  process.exitCode = 2;
}
