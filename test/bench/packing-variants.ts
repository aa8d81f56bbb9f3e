import { pricesPerDollar } from './packing/input.ts';
import { measure } from './packing/measure.ts';
import { packPods, trialsOf } from './packing/pack-pods.ts';
import { type Variant, variants } from './packing/variants.ts';
import type { Figures, Workload, WorkloadOptions } from './workload.ts';

const defaultSize = 2000;

interface VariantFigures extends Figures {
  readonly name: string;
  readonly about: string;
  readonly percentAboveBound: number;
  readonly whyNot?: string;
}

/** The bound cuts pods and nodes up. Where a plan is further away than this, it says what cannot be cut. */
const closeEnough = 3;

const runVariant = async (variant: Variant, options: WorkloadOptions): Promise<VariantFigures> => {
  const one = variant.make(options.size ?? defaultSize);
  const trials = trialsOf(options.budgetSeconds ?? 1);
  const { packed, figures } = await measure(() => packPods(one, trials), one);
  const { price, least } = packed.answer;
  const percentAboveBound = Number(((price / least - 1) * 100).toFixed(2));
  return {
    name: variant.name,
    about: variant.about,
    ...figures,
    price: Number((price / pricesPerDollar).toFixed(4)),
    lowerBound: Number((least / pricesPerDollar).toFixed(4)),
    percentAboveBound,
    ...(percentAboveBound > closeEnough && { whyNot: variant.whyNot ?? 'not known' }),
  };
};

const run = async (options: WorkloadOptions): Promise<Figures> => {
  const all: VariantFigures[] = [];
  for (const variant of variants) all.push(await runVariant(variant, options));
  const sum = (value: (figures: VariantFigures) => number) =>
    Number(all.reduce((total, figures) => total + value(figures), 0).toFixed(4));
  return {
    size: options.size ?? defaultSize,
    wallSeconds: sum(({ wallSeconds }) => wallSeconds),
    cpuSeconds: sum(({ cpuSeconds }) => cpuSeconds),
    coldCpuSeconds: sum(({ coldCpuSeconds }) => coldCpuSeconds),
    peakMemoryMiB: Math.max(...all.map(({ peakMemoryMiB }) => peakMemoryMiB)),
    variants: all,
  };
};

export const packingVariants: Workload = {
  name: 'packing-variants',
  about: 'the packing benchmark bent in several ways, each against its lower bound',
  options: [
    `--size N          pods (${defaultSize})`,
    '--budget SECONDS  for making a plan cheaper (1)',
  ],
  run,
  render: ({ variants: all }) =>
    (all as readonly VariantFigures[]).flatMap(
      ({ name, about, percentAboveBound, whyNot, ...figures }) => [
        `${name.padEnd(15)} ${percentAboveBound.toFixed(2).padStart(6)} % above the bound, ${figures['nodes']} nodes, ${figures.cpuSeconds} CPU s: ${about}`,
        ...(whyNot === undefined ? [] : [`${' '.repeat(16)}${whyNot}`]),
      ],
    ),
};
