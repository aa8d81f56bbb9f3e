import { type ExecFileSyncOptions, execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * `node infra/check-template.ts [FOLDER]` runs cfn-lint over the templates of a cloud assembly (default:
 * cdk.out). cfn-lint is a Python program: it is installed once, pinned, under ~/.cache/outrider.
 * Exit 0: clean. 1: findings. 2: it could not be run.
 */

/** Checks that are left out, with the reason. */
const ignored: readonly string[] = [
  // The CDK writes DependsOn from a function to its role beside the reference: redundant, and not ours.
  'W3005',
];

const requirements = fileURLToPath(new URL('cfn-lint-requirements.txt', import.meta.url));

const give = (status: number, line: string): never => {
  process.stderr.write(`${line}\n`);
  process.exit(status);
};

/** The path of a cfn-lint of exactly the pinned versions. */
const installed = (): string => {
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const folder = join(homedir(), '.cache', 'outrider', `cfn-lint-${digest}`);
  const program = join(folder, 'bin', 'cfn-lint');
  if (existsSync(join(folder, 'complete'))) return program;
  process.stderr.write('installing cfn-lint (once)\n');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(dirname(folder), { recursive: true });
  const options: ExecFileSyncOptions = { stdio: ['ignore', 'inherit', 'inherit'] };
  execFileSync('python3', ['-m', 'venv', folder], options);
  execFileSync(join(folder, 'bin', 'pip'), ['install', '--quiet', '-r', requirements], options);
  // Only a finished installation is used again.
  mkdirSync(join(folder, 'completing'));
  renameSync(join(folder, 'completing'), join(folder, 'complete'));
  return program;
};

const folder = process.argv[2] ?? 'cdk.out';
if (!existsSync(folder)) give(2, `${folder}: is not there; run npm run synth first`);
const templates = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.template.json'))
  .map((name) => join(folder, name));
if (templates.length === 0) give(2, `${folder}: holds no *.template.json; run npm run synth first`);

let program = '';
try {
  program = installed();
} catch (thrown) {
  give(2, `cfn-lint cannot be installed (python3 with venv is needed): ${String(thrown)}`);
}
const { status } = spawnSync(program, ['--ignore-checks', ...ignored, '--', ...templates], {
  stdio: 'inherit',
});
if (status === null) give(2, `${program}: could not be run`);
process.exitCode = status === 0 ? 0 : 1;
