import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const main = fileURLToPath(new URL('../../testbed/main.ts', import.meta.url));

it('a mistyped flag of the test bed is answered with its usage, in one line', () => {
  const run = spawnSync(process.execPath, [main, '--deplyo'], { encoding: 'utf8' });
  expect([run.status, run.stdout, run.stderr]).toEqual([
    2,
    '',
    "Unknown option '--deplyo': npm run testbed [-- --deploy] [-- --no-iam] [-- --prepare]\n",
  ]);
});
