import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { functionBuildOptions } from '../../../infra/bundling/esbuild-options.ts';
import { coldStartFigures, type FunctionFigures } from '../../bench/cold-start-figures.ts';
import { type StartCost, startCost } from '../../bench/start-cost.ts';

const fileOf = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'outrider-cold-start-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const written = (name: string, code: string): string => {
  const file = join(folder, name);
  writeFileSync(file, code);
  return file;
};

const cost = (importMilliseconds: number, over: Partial<StartCost> = {}): StartCost => ({
  importMilliseconds,
  importCpuMilliseconds: importMilliseconds * 2,
  readyMilliseconds: importMilliseconds * 3,
  readyCpuMilliseconds: importMilliseconds * 4,
  peakMemoryMiB: 50,
  ...over,
});

describe('the figures of cold starts', () => {
  const empty = [cost(5), cost(1), cost(2), cost(1)];
  const figures = coldStartFigures(
    [
      // Sorted after the first: 11, 12, 90. Smallest, mean, largest and the first are all others.
      {
        name: 'slow',
        bytes: 9,
        gzipBytes: 8,
        costs: [cost(700), cost(90, { peakMemoryMiB: 70 }), cost(11), cost(12)],
      },
      { name: 'quick', bytes: 2, gzipBytes: 1, costs: [cost(800), cost(4), cost(5), cost(6)] },
    ],
    empty,
  );

  it('are medians beyond an empty module, the first process left out', () => {
    expect(figures.functions).toEqual([
      {
        function: 'slow',
        bytes: 9,
        gzipBytes: 8,
        importMilliseconds: 11,
        importCpuMilliseconds: 22,
        readyMilliseconds: 33,
        readyCpuMilliseconds: 44,
      },
      {
        function: 'quick',
        bytes: 2,
        gzipBytes: 1,
        importMilliseconds: 4,
        importCpuMilliseconds: 8,
        readyMilliseconds: 12,
        readyCpuMilliseconds: 16,
      },
    ]);
  });

  it('are in common those of the function that costs most, of whole starts', () => {
    expect(figures).toMatchObject({
      wallSeconds: 0.036,
      cpuSeconds: 0.048,
      coldCpuSeconds: 3.2,
      peakMemoryMiB: 70,
      emptyModuleMilliseconds: 1,
      runs: 4,
    });
  });
});

describe('the cost of a start', () => {
  const busy = (milliseconds: number) =>
    `{ const end = performance.now() + ${milliseconds}; while (performance.now() < end); }`;

  it('counts what the handler builds at its first batch, apart from the import', () => {
    const file = written(
      'builds.mjs',
      `${busy(40)}\nexport const handler = async ({ Records }) => { if (Records.length === 0) ${busy(90)} };\n`,
    );
    const { importMilliseconds, readyMilliseconds } = startCost(file);
    expect(importMilliseconds).toBeGreaterThanOrEqual(40);
    expect(readyMilliseconds).toBeGreaterThanOrEqual(importMilliseconds + 90);
  });

  it('is the import alone where there is no handler', () => {
    const { importMilliseconds, readyMilliseconds } = startCost(written('empty.mjs', ''));
    expect(readyMilliseconds).toBeGreaterThanOrEqual(importMilliseconds);
  });

  it('refuses to measure a function that cannot build its service', async () => {
    const file = join(folder, 'scale-up.mjs');
    await build(functionBuildOptions(fileOf('functions/scale-up/handler.ts'), file));
    expect(() => startCost(file, { AWS_REGION: 'us-east-1' })).toThrow(/OUTRIDER_TABLE/);
  });
});

describe('npm run bench -- --workload cold-start --json', () => {
  it('prints the documented fields with figures that can be true', async () => {
    const { status, stdout } = spawnSync(
      process.execPath,
      [fileOf('test/bench/main.ts'), '--workload', 'cold-start', '--json'],
      { encoding: 'utf8' },
    );
    expect(status).toBe(0);
    const figures = JSON.parse(stdout);
    expect(figures.workload).toBe('cold-start');
    expect(figures.runs).toBeGreaterThanOrEqual(6);
    const scaleUp = (figures.functions as FunctionFigures[]).find(
      (each) => each.function === 'scale-up',
    );
    if (scaleUp === undefined) throw new Error('scale-up is not measured');

    const file = join(folder, 'index.mjs');
    await build(functionBuildOptions(fileOf('functions/scale-up/handler.ts'), file));
    expect(scaleUp.bytes).toBe(statSync(file).size);
    expect(scaleUp.gzipBytes).toBeGreaterThan(scaleUp.bytes / 10);
    expect(scaleUp.gzipBytes).toBeLessThan(scaleUp.bytes / 2);

    // Half a megabyte of code is not compiled in less than a millisecond, on any machine.
    expect(scaleUp.importMilliseconds).toBeGreaterThan(1);
    expect(scaleUp.importCpuMilliseconds).toBeGreaterThan(1);
    expect(scaleUp.readyMilliseconds).toBeGreaterThan(scaleUp.importMilliseconds);
    expect(scaleUp.readyCpuMilliseconds).toBeGreaterThan(scaleUp.importCpuMilliseconds);
    expect(figures.wallSeconds * 1000).toBeGreaterThan(scaleUp.readyMilliseconds);
    expect(figures.cpuSeconds * 1000).toBeGreaterThan(scaleUp.readyCpuMilliseconds);
    expect(figures.coldCpuSeconds).toBeGreaterThan(0.001);
    expect(figures.peakMemoryMiB).toBeGreaterThan(30);
    expect(figures.peakMemoryMiB).toBeLessThan(1000);
  });
});
