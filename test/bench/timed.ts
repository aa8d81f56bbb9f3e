import { median } from './median.ts';

export interface Timed<Value> {
  readonly value: Value;
  readonly wallSeconds: number;
  /** User and system time of the whole process, its collector's threads included. */
  readonly cpuSeconds: number;
}

/** Does the work once and says what it took. */
export const timed = async <Value>(work: () => Value | Promise<Value>): Promise<Timed<Value>> => {
  const startCpu = process.cpuUsage();
  const start = performance.now();
  const value = await work();
  const wallSeconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(startCpu);
  return { value, wallSeconds, cpuSeconds: (user + system) / 1_000_000 };
};

export interface Times {
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  readonly coldCpuSeconds: number;
}

const seconds = (value: number): number => Number(value.toFixed(4));

/** Medians of runs in one process, and the CPU time of the first of them. */
export const timesOf = (runs: readonly Omit<Timed<unknown>, 'value'>[]): Times => ({
  wallSeconds: seconds(median(runs.map(({ wallSeconds }) => wallSeconds))),
  cpuSeconds: seconds(median(runs.map(({ cpuSeconds }) => cpuSeconds))),
  coldCpuSeconds: seconds(runs[0]?.cpuSeconds ?? 0),
});
