import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { median } from '../../bench/median.ts';

const main = fileURLToPath(new URL('../../bench/main.ts', import.meta.url));

describe('npm run bench', () => {
  it.each([
    [['--workload', 'nope'], /^--workload: nope is unknown; give one of .*cold-start.*\n$/],
    [[], /^--workload: is missing; .*\n$/],
    [['--workload', 'cold-start', '--size', 'big'], /^--size: is big; .*\n$/],
    [['--colour'], /^.*--colour.*\n$/],
  ])('refuses %j in one line', (given, line) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...given], {
      encoding: 'utf8',
    });
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(line);
  });

  it('takes the middle of its runs', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([10, 9])).toBe(10);
  });
});
