import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const run = promisify(execFile);

describe('the README', () => {
  it.each([
    ['npm start', ['simulate']],
    ['outrider plan', ['plan', '--snapshot', 'examples/snapshots/basic']],
  ])('shows what %s prints, word for word', async (_, args) => {
    const { stdout } = await run(process.execPath, ['cli/main.ts', ...args], { cwd: root });
    expect(stdout.length).toBeGreaterThan(500);
    expect(readme).toContain(stdout.trimEnd());
  });
});
