import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const program = fileURLToPath(new URL('../../crash/main.ts', import.meta.url));

const run = (...args: readonly string[]) =>
  new Promise<{ readonly code: number; readonly out: string; readonly err: string }>((resolve) => {
    execFile(process.execPath, [program, ...args], (error, out, err) => {
      resolve({ code: Number(error?.code ?? 0), out, err });
    });
  });

describe('npm run crash', () => {
  it('prints a table, and exits with 0 where nothing differs', async () => {
    const { code, out } = await run('--operation', 'scale-up', '--arrangement', 'quiet');
    expect(code).toBe(0);
    expect(out).toMatch(/^port call +fault +runs +final state$/m);
    expect(out).toMatch(/faults: the same final state after each of them\n$/);
  });

  it('prints one JSON document', async () => {
    const { code, out } = await run('--operation', 'sweep', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ operation: 'sweep', world: 'memory', differing: 0 });
  });

  it.each([
    [[], /^--operation: is missing; give one of scale-up, /],
    [['--operation', 'mow'], /^--operation: there is no mow; known are scale-up, /],
    [['--operation', 'scale-up', '--world', 'moon'], /^--world: is moon; scale-up is played in /],
    [
      ['--operation', 'scale-up', '--arrangement', 'x'],
      /^--arrangement: there is no x; known are raise, /,
    ],
    [['--speed', '9'], /^Unknown option '--speed'/],
  ])('says in one line what is wrong with %j', async (args, said) => {
    const { code, out, err } = await run(...args);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toMatch(said);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
  });
});
