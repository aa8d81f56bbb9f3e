import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const main = join(root, 'cli/main.ts');

const outrider = (...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    encoding: 'utf8',
    cwd: root,
  });
  return { exit: status, out: stdout, err: stderr };
};

describe('a device in place of a file', () => {
  it.each([
    ['plan', '--snapshot', '/dev/zero'],
    ['plan', '--snapshot', 'examples/snapshots/basic', '--configuration', '/dev/zero'],
    ['simulate', '/dev/zero'],
    ['replay', '/dev/zero'],
  ])('is wrong input: %s %s %s %s', (...args) => {
    expect(outrider(...args)).toEqual({
      exit: 2,
      out: '',
      err: `outrider ${args[0]}: /dev/zero is a device, which has no end: name a file\n`,
    });
  });
});

describe.skipIf(!existsSync('/dev/full'))('output that cannot be written', () => {
  it.each([['plan --snapshot examples/snapshots/basic'], ['simulate'], ['--help']])(
    'is one line and exit code 3: %s',
    (command) => {
      const run = spawnSync(
        'sh',
        ['-c', `"$0" "$1" ${command} >/dev/full`, process.execPath, main],
        {
          encoding: 'utf8',
          cwd: root,
        },
      );
      const said = run.stderr.split('\n').filter((line) => !line.startsWith('not '));
      expect([run.status, said]).toEqual([
        3,
        ['outrider: the output cannot be written: no space is left there', ''],
      ]);
    },
  );
});
