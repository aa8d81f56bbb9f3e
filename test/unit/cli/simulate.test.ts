import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const main = join(root, 'cli/main.ts');

const outrider = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const done = spawnSync(process.execPath, [main, ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  return { code: done.status, out: done.stdout, err: done.stderr };
};

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'outrider-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const fileWith = (text: string): string => {
  const file = join(folder, 'scenario.yaml');
  writeFileSync(file, text);
  return file;
};

describe('outrider simulate', () => {
  it('plays a default scenario and closes with a summary', () => {
    const { code, out, err } = outrider(['simulate']);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('DECIDED  raise general from 0 to 1 for 3 pods');
    expect(out).toContain('5 of 5 placed');
    expect(out).toMatch(/Pending to Running +p50 [\d.]+ s, p99 [\d.]+ s/);
  });

  it('fits 80 columns and has no escape codes through a pipe', () => {
    const { out } = outrider(['simulate', 'examples/burst.yaml'], { FORCE_COLOR: '1' });
    const lines = out.split('\n');
    expect(lines.length).toBeGreaterThan(40);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(out).not.toContain('\u001b');
  });

  it('prints exactly one JSON document with --json', () => {
    const { code, out, err } = outrider(['simulate', 'examples/first-pods.yaml', '--json']);
    expect([code, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toMatchObject({
      seed: 1,
      pods: { placed: 5, late: 0, lost: 0 },
      nodes: { added: 2, removed: 0, failed: 0 },
      cost: expect.any(Number),
      apiCalls: expect.any(Number),
      secondsToRunning: { p50: expect.any(Number), p99: expect.any(Number) },
    });
  });

  it('takes another seed, and the same seed tells the same story', () => {
    const first = outrider(['simulate', '--seed', '5']).out;
    expect(first).toContain('seed 5');
    expect(outrider(['simulate', '--seed', '5']).out).toBe(first);
    expect(outrider(['simulate', '--seed', '6']).out).not.toBe(first);
  });

  it.each([
    [['simulate', '--seed', '-1'], '--seed'],
    [['simulate', '--seed', '1e3'], '--seed'],
    [['simulate', '--sed', '1'], '--seed'],
    [['simulate', 'a.yaml', 'b.yaml'], 'arguments'],
    [['simulat'], 'simulate'],
    [['simulate', 'no-such.yaml'], 'no-such.yaml does not exist'],
    [['simulate', 'examples'], 'examples is a folder: name a file in it'],
  ])('refuses %j in one line, with exit code 2', (args, expected) => {
    const { code, out, err } = outrider(args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(expected);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
  });

  it('names file, line, field and remedy of every fault of a scenario, with exit code 2', () => {
    const file = fileWith('title: Bad\ngroups:\n  - name: a\n    max: x\nworkload: []\n');
    const { code, out, err } = outrider(['simulate', file]);
    expect([code, out]).toEqual([2, '']);
    const lines = err.trimEnd().split('\n');
    expect(lines).toContain(`${file}:4: groups[0].max: is "x", not a number`);
    expect(lines).toContain(`${file}:5: workload: unknown key "workload": did you mean workloads?`);
    expect(lines.every((line) => line.startsWith(`${file}:`))).toBe(true);
  });

  it('ends quietly when its reader has seen enough', async () => {
    const child = spawn(process.execPath, [main, 'simulate', 'examples/burst.yaml'], { cwd: root });
    child.stdout.once('data', () => child.stdout.destroy());
    let err = '';
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect([code, err]).toEqual([0, '']);
  });
});

describe('outrider', () => {
  it('prints its version, and its help', () => {
    expect(outrider(['--version'])).toMatchObject({ code: 0, out: '0.1.0\n', err: '' });
    const help = outrider(['--help']);
    expect([help.code, help.err]).toEqual([0, '']);
    expect(help.out).toContain('simulate');
  });

  it('shows its help on standard error and exits 2 where no command is named', () => {
    const { code, out, err } = outrider([]);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain('Usage: outrider');
  });
});
