import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { functionBuildOptions } from '../../infra/bundling/esbuild-options.ts';
import { coldStartFigures, type FunctionFigures } from './cold-start-figures.ts';
import { type StartCost, startCost } from './start-cost.ts';
import type { Figures, Workload } from './workload.ts';

/** Fresh processes per module. */
const runs = 11;

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
const measure = (files: readonly string[]): ReadonlyMap<string, readonly StartCost[]> => {
  const costs = new Map(files.map((file): [string, StartCost[]] => [file, []]));
  for (let run = 0; run < runs; run += 1) {
    for (const [file, own] of costs) own.push(startCost(file));
  }
  return costs;
};

/** Bundles each function exactly as the deployment does, and starts it. */
const run = async (): Promise<Figures> => {
  const folder = mkdtempSync(join(tmpdir(), 'outrider-bench-'));
  try {
    const bundles = await bundleAll(folder);
    const empty = join(folder, 'empty.mjs');
    writeFileSync(empty, '');
    const costs = measure([empty, ...bundles.values()]);
    const costsOf = (file: string) => costs.get(file) ?? [];
    const functions = [...bundles].map(([name, file]) => {
      const code = readFileSync(file);
      const sizes = { bytes: code.length, gzipBytes: gzipSync(code).length };
      return { name, ...sizes, costs: costsOf(file) };
    });
    return coldStartFigures(functions, costsOf(empty));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const milliseconds = (value: number): string => `${value.toFixed(1).padStart(7)} ms`;

export const coldStart: Workload = {
  name: 'cold-start',
  about:
    'size of each function, bundled as the deployment does, and the time to import and to build it',
  options: [],
  run,
  render: (figures) => [
    'function              bytes       gzip     import        CPU      ready        CPU',
    ...(figures.functions as readonly FunctionFigures[]).map((each) =>
      [
        each.function.padEnd(16),
        String(each.bytes).padStart(10),
        String(each.gzipBytes).padStart(10),
        milliseconds(each.importMilliseconds),
        milliseconds(each.importCpuMilliseconds),
        milliseconds(each.readyMilliseconds),
        milliseconds(each.readyCpuMilliseconds),
      ].join(' '),
    ),
    'ready: the import, then the environment read and the service built, without any request',
    `importing an empty module takes ${String(figures.emptyModuleMilliseconds)} ms and is taken off`,
    `medians of ${String(figures.runs)} processes but the first, which took ${figures.coldCpuSeconds.toFixed(3)} s of CPU in all`,
  ],
};
