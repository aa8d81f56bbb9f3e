import { packNewNodes } from '#scheduling/packing/pack-new-nodes.ts';
import type { NodeOffer, PodKind } from '#scheduling/packing/question.ts';
import { type StatePod, schedulingState } from '#scheduling/state/scheduling-state.ts';
import { measure } from './packing/measure.ts';
import { packPods, trialsOf } from './packing/pack-pods.ts';
import type { Figures, Workload } from './workload.ts';

const barePod = (name: string, cpu: number, memory: number): StatePod => ({
  namespace: 'default',
  name,
  uid: name,
  labels: {},
  requests: { cpu, memory },
  nodeSelector: {},
  tolerations: [],
  hostPorts: [],
  notJudged: [],
});

const offer = (cpu: number, memory: number, pods: number): NodeOffer => ({
  template: {
    name: 'template',
    labels: {},
    taints: [],
    unschedulable: false,
    allocatable: { cpu, memory, pods },
  },
  price: 1,
  limit: Number.POSITIVE_INFINITY,
});

const render = (figures: Figures): readonly string[] => [
  `${figures['placed']} of ${figures['pods']} pods on ${figures['nodes']} new nodes`,
  `CPU ${figures.cpuSeconds} s, of the first run ${figures.coldCpuSeconds} s; peak memory ${figures.peakMemoryMiB} MiB`,
];

/** Cluster Autoscaler's benchmark of its estimator, which is given groups of equal pods too. */
export const estimator: Workload = {
  name: 'estimator',
  about: '51,000 pods of two kinds on new nodes of one template, from so many of each',
  options: ['--budget SECONDS  for making the plan cheaper'],
  run: async ({ budgetSeconds }) => {
    const offers = [offer(1000, 5000, 100)];
    const kinds: readonly PodKind[] = [
      { pod: barePod('small', 50, 100), count: 50_000 },
      { pod: barePod('large', 95, 190), count: 1000 },
    ];
    const pods = kinds.flatMap(({ pod, count }) => Array.from({ length: count }, () => pod));
    const trials = trialsOf(budgetSeconds);
    const { figures } = await measure(
      () => {
        const state = schedulingState({ namespaces: [], storage: {} });
        return { kinds, answer: packNewNodes({ kinds, offers, state, trials }) };
      },
      { pods, offers, existing: [] },
    );
    return { size: pods.length, ...figures };
  },
  render,
};

const defaultBare = 50_000;

export const bare: Workload = {
  name: 'bare',
  about: 'equal pods that no controller made, found to be equal and packed on one group from zero',
  options: [
    `--size N          pods (${defaultBare})`,
    '--budget SECONDS  for making the plan cheaper',
  ],
  run: async ({ size = defaultBare, budgetSeconds }) => {
    const pods = Array.from({ length: size }, (_, index) => barePod(`bare-${index}`, 200, 200));
    const one = { pods, offers: [offer(10_000, 10_000, 110)], existing: [] };
    const trials = trialsOf(budgetSeconds);
    const { figures } = await measure(() => packPods(one, trials), one);
    return { size, ...figures };
  },
  render,
};
