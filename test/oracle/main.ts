import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { testbedAvailable } from '../testbed/testbed.ts';
import { askOracle, type OracleReport } from './ask-oracle.ts';
import { followOracle } from './follow.ts';
import { followText, sumOf } from './follow-report.ts';
import { randomScenes } from './generate/random-scene.ts';
import { readScenes } from './kept-scenes.ts';
import { startOracleCluster } from './oracle-cluster.ts';
import { disagreementText } from './report.ts';

/*
 * Asks the real kube-scheduler and the engine the same questions. Exit 1: they disagree. Exit 2: the usage
 * is wrong. Exit 3: the test bed cannot run here.
 */

const usage =
  'npm run oracle -- [--follow] [--cases N] [--seed N] [--keep FOLDER] [--replay FILE|FOLDER] [--json]';

const help: readonly string[] = [
  `Usage: ${usage}`,
  '',
  '  --cases N      how many pairs of a pod and a node are asked about, at least; default 10000',
  '  --seed N       of the clusters and pods that are drawn; default 1',
  '  --keep FOLDER  writes each disagreement there, made small, as a file for --replay',
  '  --replay PATH  plays the scenes of such files instead of drawing some',
  '  --follow       raises groups for random pods, makes the nodes, and counts the pods that the scheduler',
  '                 leaves Pending; --cases: how many such plans, default 40',
  '  --json         prints one document: cases, passed, disagreements, findings, reasons, seconds',
];

class UsageError extends Error {}

const read = () => {
  try {
    return parseArgs({
      options: {
        cases: { type: 'string' },
        follow: { type: 'boolean', default: false },
        seed: { type: 'string', default: '1' },
        keep: { type: 'string' },
        replay: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (thrown) {
    const said = thrown instanceof Error ? thrown.message : String(thrown);
    throw new UsageError(`${said.split(/\.? *\n|\. /)[0]}; usage: ${usage}`);
  }
};

const wholeNumber = (option: string, text: string, least: number): number => {
  const value = Number(text);
  if (text !== '' && Number.isSafeInteger(value) && value >= least) return value;
  throw new UsageError(`--${option}: is ${text}; give a whole number from ${least}`);
};

const scenesAt = (path: string) => {
  if (!existsSync(path)) {
    throw new UsageError(
      `--replay: there is no ${path}; give a file that --keep wrote, or its folder`,
    );
  }
  try {
    return readScenes(path);
  } catch (error) {
    throw new UsageError(
      `--replay: ${path} cannot be read (${error}); give a file that --keep wrote`,
    );
  }
};

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const print = (lines: readonly string[]): void =>
  void process.stdout.write(`${lines.join('\n')}\n`);

const summary = (report: OracleReport, seconds: number): readonly string[] => [
  ...report.findings.map(({ scene, disagreement, file }) =>
    [
      disagreementText(scene, disagreement),
      ...(file === undefined ? [] : [`kept in ${file}`]),
    ].join('\n'),
  ),
  `${report.cases} cases (${report.pods} pods in ${report.scenes} scenes, ${report.passed} may run), ${Math.round(report.cases / seconds)} a second`,
  report.disagreements === 0
    ? 'no disagreement'
    : `they disagree about ${report.disagreements} pods`,
];

/** At least so many plans of a hundred have to be followed to the last pod. */
const followedAtLeast = 95;

const follow = async (given: ReturnType<typeof read>): Promise<number> => {
  const seed = wholeNumber('seed', given.seed, 0);
  const cases = wholeNumber('cases', given.cases ?? '40', 1);
  const missing = await testbedAvailable();
  if (missing !== undefined) {
    say(missing);
    return 3;
  }
  const cluster = await startOracleCluster(say, { binds: true });
  try {
    const outcomes = await followOracle(cluster.admin, { cases, seed }, say);
    const summed = sumOf(outcomes);
    print(
      given.json ? [JSON.stringify({ seed, ...summed, outcomes }, null, 2)] : followText(summed),
    );
    return summed.followed * 100 >= outcomes.length * followedAtLeast ? 0 : 1;
  } finally {
    await cluster.stop();
  }
};

const main = async (): Promise<number> => {
  const given = read();
  if (given.help) {
    print(help);
    return 0;
  }
  if (given.follow) return follow(given);
  const seed = wholeNumber('seed', given.seed, 0);
  const question = {
    scenes: given.replay === undefined ? randomScenes(seed) : scenesAt(given.replay),
    cases:
      given.replay === undefined
        ? wholeNumber('cases', given.cases ?? '10000', 1)
        : Number.POSITIVE_INFINITY,
    ...(given.keep === undefined ? {} : { keep: given.keep }),
    progress: say,
  };
  const missing = await testbedAvailable();
  if (missing !== undefined) {
    say(missing);
    return 3;
  }
  const cluster = await startOracleCluster(say);
  try {
    const startedMs = Date.now();
    const report = await askOracle(cluster, question);
    const seconds = (Date.now() - startedMs) / 1000;
    print(
      given.json
        ? [
            JSON.stringify(
              { ...(given.replay === undefined ? { seed } : {}), seconds, ...report },
              null,
              2,
            ),
          ]
        : summary(report, seconds),
    );
    return report.disagreements === 0 ? 0 : 1;
  } finally {
    await cluster.stop();
  }
};

try {
  process.exitCode = await main();
} catch (thrown) {
  if (!(thrown instanceof UsageError)) throw thrown;
  say(thrown.message);
  process.exitCode = 2;
}
