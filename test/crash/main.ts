import { parseArgs } from 'node:util';
import { crashEverywhere } from './crash-cases.ts';
import { operations } from './operations.ts';
import type { Arrangement, CrashOperation, WorldName } from './stage.ts';
import { tableOf } from './table.ts';

/*
 * Makes an operation fail at each of its port calls in every way, runs it again, and compares what is left
 * with the undisturbed run. Exit 1: something differs. Exit 2: the usage is wrong.
 */

const usage =
  'npm run crash -- --operation NAME [--world memory|testbed] [--arrangement NAME] [--json]';

class UsageError extends Error {}

const read = () => {
  try {
    return parseArgs({
      options: {
        operation: { type: 'string' },
        world: { type: 'string', default: 'memory' },
        arrangement: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (thrown) {
    const said = thrown instanceof Error ? thrown.message : String(thrown);
    throw new UsageError(`${said.split('. ')[0]}; usage: ${usage}`);
  }
};

const known = (things: readonly { readonly name: string }[]): string =>
  things.map(({ name }) => name).join(', ');

const operationNamed = (name: string | undefined): CrashOperation => {
  if (name === undefined) {
    throw new UsageError(`--operation: is missing; give one of ${known(operations)}`);
  }
  const operation = operations.find((each) => each.name === name);
  if (operation !== undefined) return operation;
  throw new UsageError(`--operation: there is no ${name}; known are ${known(operations)}`);
};

const worldNamed = (name: string, operation: CrashOperation): WorldName => {
  const found = operation.worlds.find((each) => each === name);
  if (found !== undefined) return found;
  const worlds = operation.worlds.join(' or ');
  throw new UsageError(`--world: is ${name}; ${operation.name} is played in ${worlds}`);
};

const chosen = (
  arrangements: readonly Arrangement[],
  name: string | undefined,
): readonly Arrangement[] => {
  if (name === undefined) return arrangements;
  const found = arrangements.filter((each) => each.name === name);
  if (found.length > 0) return found;
  throw new UsageError(`--arrangement: there is no ${name}; known are ${known(arrangements)}`);
};

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const print = (lines: readonly string[]): void =>
  void process.stdout.write(lines.map((line) => `${line}\n`).join(''));

const main = async (): Promise<number> => {
  const given = read();
  if (given.help) {
    print([`Usage: ${usage}`, '', `Operations: ${known(operations)}`]);
    return 0;
  }
  const operation = operationNamed(given.operation);
  const name = worldNamed(given.world, operation);
  const world = await operation.open(name);
  try {
    const reports = [];
    for (const arrangement of chosen(world.arrangements, given.arrangement)) {
      const report = await crashEverywhere(arrangement, { ...operation, ...world });
      reports.push(report);
      if (!given.json) print(tableOf(report));
    }
    const cases = reports.flatMap((report) => report.cases);
    const differing = cases.filter(({ differences }) => differences.length > 0).length;
    if (given.json) {
      print([
        JSON.stringify(
          { operation: operation.name, world: name, cases: cases.length, differing, reports },
          null,
          2,
        ),
      ]);
    } else {
      print([
        differing === 0
          ? `${cases.length - reports.length} faults: the same final state after each of them`
          : `${cases.length - reports.length} faults: another final state after ${differing} of them`,
      ]);
    }
    return differing === 0 ? 0 : 1;
  } finally {
    await world.close();
  }
};

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // Whoever reads has had enough, as `head` does.
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

try {
  process.exitCode = await main();
} catch (thrown) {
  if (!(thrown instanceof UsageError)) throw thrown;
  say(thrown.message);
  process.exitCode = 2;
}
