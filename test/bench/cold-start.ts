import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { functionBuildOptions } from '../../infra/bundling/esbuild-options.ts';
import { type ImportCost, importModule } from './import-module.ts';
import { median } from './median.ts';
import type { Figures, Workload } from './workload.ts';

/** Fresh processes per module; the first warms the file cache and counts as the cold run. */
const runs = 11;

export interface FunctionFigures {
  readonly function: string;
  readonly bytes: number;
  readonly gzipBytes: number;
  /** Median, without what importing an empty module costs. */
  readonly importMilliseconds: number;
  /** The same as user and system time: it suffers less where the machine is busy. */
  readonly importCpuMilliseconds: number;
}

const functionsFolder = fileURLToPath(new URL('../../functions', import.meta.url));

const functionNames = (): readonly string[] =>
  readdirSync(functionsFolder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /^[^/\\]+[/\\]handler\.ts$/.test(path))
    .map((path) => path.split(/[/\\]/)[0] ?? '')
    .sort();

const bundleAll = async (folder: string): Promise<ReadonlyMap<string, string>> => {
  const files = new Map<string, string>();
  for (const name of functionNames()) {
    const file = join(folder, name, 'index.mjs');
    await build(functionBuildOptions(join(functionsFolder, name, 'handler.ts'), file));
    files.set(name, file);
  }
  return files;
};

/** Round by round, so that a busy moment of the machine touches every module alike. */
const measure = (files: readonly string[]): ReadonlyMap<string, readonly ImportCost[]> => {
  const costs = new Map(files.map((file): [string, ImportCost[]] => [file, []]));
  for (let run = 0; run < runs; run += 1) {
    for (const [file, own] of costs) own.push(importModule(file));
  }
  return costs;
};

const middle = (costs: readonly ImportCost[], field: keyof ImportCost): number =>
  median(costs.slice(1).map((cost) => cost[field]));

const round = (value: number, digits: number): number => Number(value.toFixed(digits));

/** Bundles each function exactly as the deployment does, and imports it. */
const run = async (): Promise<Figures> => {
  const folder = mkdtempSync(join(tmpdir(), 'outrider-bench-'));
  try {
    const bundles = await bundleAll(folder);
    const empty = join(folder, 'empty.mjs');
    writeFileSync(empty, '');
    const costs = measure([empty, ...bundles.values()]);
    const costsOf = (file: string) => costs.get(file) ?? [];
    const emptyMilliseconds = middle(costsOf(empty), 'milliseconds');
    const emptyCpuMilliseconds = middle(costsOf(empty), 'cpuMilliseconds');
    const functions = [...bundles].map(([name, file]): FunctionFigures => {
      const code = readFileSync(file);
      return {
        function: name,
        bytes: code.length,
        gzipBytes: gzipSync(code).length,
        importMilliseconds: round(middle(costsOf(file), 'milliseconds') - emptyMilliseconds, 1),
        importCpuMilliseconds: round(
          middle(costsOf(file), 'cpuMilliseconds') - emptyCpuMilliseconds,
          1,
        ),
      };
    });
    // The common figures are those of the function that costs most.
    const worst = (figure: (costs: readonly ImportCost[]) => number): number =>
      Math.max(...[...bundles.values()].map((file) => figure(costsOf(file))));
    return {
      wallSeconds: round(worst((own) => middle(own, 'milliseconds')) / 1000, 4),
      cpuSeconds: round(worst((own) => middle(own, 'cpuMilliseconds')) / 1000, 4),
      coldCpuSeconds: round(worst(([first]) => first?.cpuMilliseconds ?? 0) / 1000, 4),
      peakMemoryMiB: round(
        worst((own) => Math.max(...own.map((cost) => cost.peakMemoryMiB))),
        1,
      ),
      node: process.version,
      runs,
      emptyModuleMilliseconds: round(emptyMilliseconds, 1),
      functions,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

export const coldStart: Workload = {
  name: 'cold-start',
  about: 'bytes and import time of each function, bundled as the deployment does',
  run,
  render: (figures) => [
    'function              bytes       gzip     import        CPU',
    ...(figures.functions as readonly FunctionFigures[]).map(
      (each) =>
        `${each.function.padEnd(16)} ${String(each.bytes).padStart(10)} ${String(each.gzipBytes).padStart(10)} ${each.importMilliseconds.toFixed(1).padStart(7)} ms ${each.importCpuMilliseconds.toFixed(1).padStart(7)} ms`,
    ),
    `importing an empty module takes ${String(figures.emptyModuleMilliseconds)} ms and is taken off`,
  ],
};
