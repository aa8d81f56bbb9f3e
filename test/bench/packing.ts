import { firstFitDecreasing } from './packing/first-fit.ts';
import {
  offersOfBenchmark,
  podsOf,
  pricesPerDollar,
  recordedSizes,
  rowsOfFile,
  rowsOfSize,
} from './packing/input.ts';
import { measure } from './packing/measure.ts';
import {
  defaultBudgetSeconds,
  type PackingCase,
  packPods,
  trialsOf,
  trialsPerSecond,
} from './packing/pack-pods.ts';
import { writePlot } from './plot.ts';
import type { Figures, Workload, WorkloadOptions } from './workload.ts';

const defaultSize = 5000;
const plotted = [...recordedSizes.filter((size) => size >= 50), 10_000, 20_000];

/** What Karpenter 22664681 answered on the same files. */
const karpenterPrices: Readonly<Record<number, number>> = {
  50: 15.11,
  100: 33.05,
  500: 166.19,
  1000: 341.5,
  5000: 1752.83,
};

const dollars = (price: number): number => Number((price / pricesPerDollar).toFixed(4));
const percent = (less: number, more: number): number =>
  Number(((1 - less / more) * 100).toFixed(2));

const caseOf = ({ size, input }: WorkloadOptions): PackingCase => ({
  pods: podsOf(input === undefined ? rowsOfSize(size ?? defaultSize) : rowsOfFile(input)),
  offers: offersOfBenchmark(),
  existing: [],
});

const run = async (options: WorkloadOptions): Promise<Figures> => {
  const one = caseOf(options);
  const trials = trialsOf(options.budgetSeconds);
  const { packed, figures } = await measure(() => packPods(one, trials), one);
  const { price, least } = packed.answer;
  const baseline = firstFitDecreasing(one);
  if (options.plot !== undefined) await plot(options.plot, options.budgetSeconds);
  const karpenter = options.input === undefined ? karpenterPrices[one.pods.length] : undefined;
  return {
    size: one.pods.length,
    ...figures,
    price: dollars(price),
    lowerBound: dollars(least),
    percentAboveBound: Number(((price / least - 1) * 100).toFixed(2)),
    budgetSeconds: options.budgetSeconds ?? defaultBudgetSeconds,
    trialsPerSecond,
    firstFitPrice: dollars(baseline.price),
    firstFitNodes: baseline.nodes,
    percentSaved: percent(price, baseline.price),
    ...(karpenter === undefined
      ? {}
      : {
          karpenterPrice: karpenter,
          percentSavedOnKarpenter: percent(price / pricesPerDollar, karpenter),
        }),
  };
};

async function plot(file: string, budgetSeconds: number | undefined): Promise<void> {
  const points = [];
  for (const size of plotted) {
    const one = caseOf({ size });
    const { figures } = await measure(() => packPods(one, trialsOf(budgetSeconds)), one);
    points.push({ size, seconds: figures.cpuSeconds });
  }
  writePlot(file, { title: 'Packing of new nodes', sizeOf: 'pods', points });
}

export const packing: Workload = {
  name: 'packing',
  about: 'new nodes for the pods of Karpenter’s scheduling benchmark, of 400 instance types',
  options: [
    `--size N          pods (${defaultSize}); ${recordedSizes.join(', ')} are Karpenter's own, others are made alike`,
    '--input FILE      pods in the form of test/bench/data/packing-benchmark/pods-5000.json',
    `--budget SECONDS  for making the plan cheaper (${defaultBudgetSeconds}); ${trialsPerSecond} trials each`,
    `--plot FILE       HTML with the CPU time for ${plotted.join(', ')} pods`,
  ],
  run,
  render: (figures) => [
    `${figures['placed']} of ${figures['pods']} pods on ${figures['nodes']} new nodes, proven to be bindable in the planned order`,
    `price ${figures['price']}; lower bound ${figures['lowerBound']} (pods and nodes divisible at will), ${figures['percentAboveBound']} % above it`,
    `first-fit decreasing: ${figures['firstFitPrice']} on ${figures['firstFitNodes']} nodes; saved ${figures['percentSaved']} %`,
    ...(figures['karpenterPrice'] === undefined
      ? []
      : [`Karpenter: ${figures['karpenterPrice']}; saved ${figures['percentSavedOnKarpenter']} %`]),
    `CPU ${figures.cpuSeconds} s, of the first run ${figures.coldCpuSeconds} s; ${figures['trials']} trials; peak memory ${figures.peakMemoryMiB} MiB`,
  ],
};
