import { measureDecision, renderDecision } from './decision/measure.ts';
import { barePods, fromZero } from './decision/one-group.ts';
import type { Workload } from './workload.ts';

const small = 50_000;
const large = 1000;

/** The mix of pods of Cluster Autoscaler's benchmark of its estimator, as a decision on one group. */
export const estimator: Workload = {
  name: 'estimator',
  about: 'a decision on 51,000 Pending pods of two kinds and one group from zero',
  options: [],
  run: async () => {
    const pods = [...barePods(small, 'small', 50, 100), ...barePods(large, 'large', 95, 190)];
    const room = { milliCpu: 1000, memoryBytes: 5000, pods: 100 };
    const { figures } = await measureDecision(fromZero(room, pods));
    return { size: pods.length, pods: pods.length, ...figures };
  },
  render: renderDecision,
};

const defaultBare = 50_000;

export const bare: Workload = {
  name: 'bare',
  about: 'a decision on equal Pending pods that no controller made and one group from zero',
  options: [`--size N          pods (${defaultBare})`],
  run: async ({ size = defaultBare }) => {
    const room = { milliCpu: 10_000, memoryBytes: 10_000, pods: 110 };
    const { figures } = await measureDecision(fromZero(room, barePods(size, 'bare', 200, 200)));
    return { size, pods: size, ...figures };
  },
  render: renderDecision,
};
