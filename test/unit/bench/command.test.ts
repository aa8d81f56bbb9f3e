import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { median } from '../../bench/median.ts';
import { workloads } from '../../bench/workloads.ts';

const main = fileURLToPath(new URL('../../bench/main.ts', import.meta.url));

const bench = (given: readonly string[]) =>
  spawnSync(process.execPath, [main, ...given], { encoding: 'utf8' });

describe('npm run bench', () => {
  it.each([
    [['--workload', 'nope'], /^--workload: nope is unknown; give one of .*cold-start.*\n$/],
    [[], /^--workload: is missing; .*\n$/],
    [['--workload', 'cold-start', '--size', 'big'], /^--size: is big; .*\n$/],
    [['--workload', 'cold-start', '--kinds', '0.5'], /^--kinds: is 0.5; give a whole .*\n$/],
    [['--workload', 'cold-start', '--budget', '-1'], /^.*--budget.*\n$/],
    [['--colour'], /^.*--colour.*; usage: npm run bench -- --workload NAME .*\n$/],
    [['cold-start'], /^.*cold-start.*; usage: npm run bench -- --workload NAME .*\n$/],
    [['--workload'], /^.*--workload.*; usage: npm run bench -- --workload NAME .*\n$/],
  ])('refuses %j in one line', (given, line) => {
    const { status, stdout, stderr } = bench(given);
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(line);
  });

  it.each(['--help', '-h'])('explains itself with %s', (option) => {
    const { status, stdout, stderr } = bench([option]);
    expect(status).toBe(0);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^Usage: npm run bench -- --workload NAME /);
    for (const { name, options } of workloads) {
      expect(stdout).toContain(`  ${name} `);
      for (const line of options) expect(stdout).toContain(line);
    }
  });

  it('takes the middle of its runs', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([10, 9])).toBe(10);
  });
});

it('every workload that the documents name is there', () => {
  const texts = ['../../../README.md', '../../../docs/limits.md'].map((path) =>
    readFileSync(new URL(path, import.meta.url), 'utf8'),
  );
  const named = texts.flatMap((text) => [...text.matchAll(/--workload ([a-z-]+)/g)]);
  const known = workloads.map(({ name }) => name);
  expect(named.length).toBeGreaterThan(3);
  expect(named.map(([, name]) => name).filter((name) => !known.includes(name ?? ''))).toEqual([]);
});
