import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const bin = fileURLToPath(new URL('../../../cli/bin.mjs', import.meta.url));

/** A Node of this machine that is too old to run TypeScript by itself, if it has one. */
const oldNode = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .map((folder) => join(folder, 'node'))
  .find((node) => {
    if (!existsSync(node)) return false;
    const [major = 0, minor = 0] = spawnSync(node, ['--version'], { encoding: 'utf8' })
      .stdout.replace('v', '')
      .split('.')
      .map(Number);
    return major < 22 || (major === 22 && minor < 18);
  });

const run = (node: string, args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(node, [bin, ...args], { encoding: 'utf8' });
  return [status, stdout, stderr];
};

describe('the launcher', () => {
  it('runs the command line under a current Node', () => {
    expect(run(process.execPath, ['--version'])).toEqual([0, '0.1.0\n', '']);
    expect(run(process.execPath, ['no-such-verb'])[0]).toBe(2);
  });

  it.skipIf(oldNode === undefined)(
    'runs it under an older Node too, and passes its exit code on',
    () => {
      expect(run(oldNode ?? '', ['--version'])).toEqual([0, '0.1.0\n', '']);
      expect(run(oldNode ?? '', ['no-such-verb'])[0]).toBe(2);
    },
  );

  it.skipIf(oldNode === undefined)('passes signals on, and ends as its child did', async () => {
    const child = spawn(oldNode ?? '', [bin, 'simulate', 'examples/burst.yaml'], {
      cwd: fileURLToPath(new URL('../../../', import.meta.url)),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    // Nobody reads beyond the first piece, so that the child cannot end by itself before the signal.
    await new Promise((resolve) => child.stdout.once('readable', resolve));
    child.kill('SIGTERM');
    const code = await new Promise((resolve) => child.once('exit', resolve));
    expect(code).toBe(143);
  });
});
