import { groupStatesOf } from '#scaling/group-state.ts';
import type { NodeOffer } from '#scheduling/packing/question.ts';
import { group, launchTemplate, scaleUpInput } from '../helpers/scaling-builders.ts';
import { pricedTypes } from './openb/instance-types.ts';
import { readPods } from './openb/read-pods.ts';
import { firstFitDecreasing } from './packing/first-fit.ts';
import { measure } from './packing/measure.ts';
import { defaultBudgetSeconds, packPods, trialsOf } from './packing/pack-pods.ts';
import { UsageError } from './usage-error.ts';
import type { Figures, Workload, WorkloadOptions } from './workload.ts';

const mostNodes = 100_000;

/** A group of each type, from zero; what its nodes have for pods is what the engine reckons of the type. */
const offersOfGroups = (): readonly NodeOffer[] => {
  const input = scaleUpInput({
    groups: pricedTypes.map(({ type: { name } }) =>
      group(name, { max: mostNodes, launchTemplate: { id: `lt-${name}`, version: '$Latest' } }),
    ),
    launchTemplates: pricedTypes.map(({ type: { name } }) =>
      launchTemplate(`lt-${name}`, { instanceType: name }),
    ),
    instanceTypes: pricedTypes.map(({ type }) => type),
  });
  const prices = new Map(
    pricedTypes.map(({ type, microDollarsPerHour }) => [type.name, microDollarsPerHour]),
  );
  return groupStatesOf(input).flatMap(({ templates }) =>
    templates.templates.map(({ node, instanceType }) => ({
      template: node,
      price: prices.get(instanceType) ?? 0,
      limit: mostNodes,
    })),
  );
};

const dollars = (micro: number): number => Number((micro / 1_000_000).toFixed(4));
const percent = (share: number): number => Number((share * 100).toFixed(2));

const run = async ({ input, budgetSeconds }: WorkloadOptions): Promise<Figures> => {
  if (input === undefined) {
    throw new UsageError('--input: is missing; give the folder with the pods.csv of the trace');
  }
  const one = { pods: readPods(input), offers: offersOfGroups(), existing: [] };
  const { packed, figures } = await measure(() => packPods(one, trialsOf(budgetSeconds)), one);
  const { price, least } = packed.answer;
  const baseline = firstFitDecreasing(one);
  return {
    size: one.pods.length,
    ...figures,
    price: dollars(price),
    lowerBound: dollars(least),
    percentAboveBound: percent(price / least - 1),
    budgetSeconds: budgetSeconds ?? defaultBudgetSeconds,
    firstFitPrice: dollars(baseline.price),
    firstFitNodes: baseline.nodes,
    firstFitUnplaced: baseline.unplaced,
    percentSaved: percent(1 - price / baseline.price),
  };
};

export const openb: Workload = {
  name: 'openb',
  about: 'new nodes of real instance types for all pods of a production trace',
  options: [
    '--input FOLDER    with the pods.csv of the trace (openb: Alibaba cluster-trace-gpu-v2023)',
    `--budget SECONDS  for making the plan cheaper (${defaultBudgetSeconds})`,
  ],
  run,
  render: (figures) => [
    `${figures['placed']} of ${figures['pods']} pods on ${figures['nodes']} new nodes, proven to be bindable in the planned order`,
    `price ${figures['price']} dollars an hour; lower bound ${figures['lowerBound']} (pods and nodes divisible at will), ${figures['percentAboveBound']} % above it`,
    `first-fit decreasing: ${figures['firstFitPrice']} on ${figures['firstFitNodes']} nodes; saved ${figures['percentSaved']} %`,
    `CPU ${figures.cpuSeconds} s, of the first run ${figures.coldCpuSeconds} s; ${figures['trials']} trials; peak memory ${figures.peakMemoryMiB} MiB`,
  ],
};
