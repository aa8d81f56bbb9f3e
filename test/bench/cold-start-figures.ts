import { median } from './median.ts';
import type { StartCost } from './start-cost.ts';
import type { Figures } from './workload.ts';

export interface StartedFunction {
  readonly name: string;
  readonly bytes: number;
  readonly gzipBytes: number;
  /** Of one fresh process each, in the order of their starts. */
  readonly costs: readonly StartCost[];
}

/** Times are medians, without what an empty module costs. */
export interface FunctionFigures {
  readonly function: string;
  readonly bytes: number;
  readonly gzipBytes: number;
  readonly importMilliseconds: number;
  /** The same as user and system time: it suffers less where the machine is busy. */
  readonly importCpuMilliseconds: number;
  /** The import, then reading the environment and building the service (SDK clients, catalogues). */
  readonly readyMilliseconds: number;
  readonly readyCpuMilliseconds: number;
}

const round = (value: number, digits: number): number => Number(value.toFixed(digits));

/** The first process finds the files out of the cache, perhaps: it is left out of the medians. */
const middle = (costs: readonly StartCost[], field: keyof StartCost): number =>
  median(costs.slice(1).map((cost) => cost[field]));

/**
 * The common figures are whole starts (Node's own work for an empty import included) of the function that
 * costs most. Every run is a process of its own and so cold; `coldCpuSeconds` is the first of them.
 */
export const coldStartFigures = (
  functions: readonly StartedFunction[],
  empty: readonly StartCost[],
): Figures => {
  const worst = (figure: (costs: readonly StartCost[]) => number): number =>
    Math.max(...functions.map(({ costs }) => figure(costs)));
  const beyondEmpty = (costs: readonly StartCost[], field: keyof StartCost): number =>
    round(middle(costs, field) - middle(empty, field), 1);
  return {
    wallSeconds: round(worst((costs) => middle(costs, 'readyMilliseconds')) / 1000, 4),
    cpuSeconds: round(worst((costs) => middle(costs, 'readyCpuMilliseconds')) / 1000, 4),
    coldCpuSeconds: round(worst(([first]) => first?.readyCpuMilliseconds ?? 0) / 1000, 4),
    peakMemoryMiB: round(
      worst((costs) => Math.max(...costs.map(({ peakMemoryMiB }) => peakMemoryMiB))),
      1,
    ),
    node: process.version,
    runs: empty.length,
    emptyModuleMilliseconds: round(middle(empty, 'importMilliseconds'), 1),
    functions: functions.map(
      ({ name, bytes, gzipBytes, costs }): FunctionFigures => ({
        function: name,
        bytes,
        gzipBytes,
        importMilliseconds: beyondEmpty(costs, 'importMilliseconds'),
        importCpuMilliseconds: beyondEmpty(costs, 'importCpuMilliseconds'),
        readyMilliseconds: beyondEmpty(costs, 'readyMilliseconds'),
        readyCpuMilliseconds: beyondEmpty(costs, 'readyCpuMilliseconds'),
      }),
    ),
  };
};
