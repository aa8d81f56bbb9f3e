import type { ScaleUpInput } from '#scaling/decision.ts';
import { groupStatesOf } from '#scaling/group-state.ts';
import { type ExpansionOption, expansionOption } from '#scaling/planning/expansion-option.ts';
import { plannedWorld } from '#scaling/planning/planned-world.ts';
import { podClassesOf } from '#scaling/planning/pod-class.ts';
import { unlimitedTrials } from '#scheduling/trials.ts';
import { measureDecision, renderDecision } from './decision/measure.ts';
import { barePods, fromZero } from './decision/one-group.ts';
import { type Timed, timed, timesOf } from './timed.ts';
import type { Workload } from './workload.ts';

const runs = 11;
const small = 50_000;
const large = 1000;

/** What a decision asks of each group: how many of its nodes hold the pods, sorted by what they ask for. */
function estimateOf(input: ScaleUpInput): () => ExpansionOption | undefined {
  const { snapshot } = input;
  const groups = groupStatesOf(input);
  const [group] = groups;
  if (group === undefined) throw new Error('there is no group to estimate');
  const world = plannedWorld({ snapshot, groups, occupancy: new Map() });
  const demands = podClassesOf(snapshot.pods, groups, world.state).map((podClass) => ({
    podClass,
    pods: podClass.pods,
  }));
  return () =>
    expansionOption(group, demands, { world, limit: group.headroom, trials: unlimitedTrials() });
}

/** The mix of pods of Cluster Autoscaler's benchmark of its estimator, which is given sorted pods and one template too. */
export const estimator: Workload = {
  name: 'estimator',
  about:
    'how many nodes of one group hold 51,000 Pending pods of two kinds; and the whole decision',
  options: [],
  run: async () => {
    const pods = [...barePods(small, 'small', 50, 100), ...barePods(large, 'large', 95, 190)];
    const room = { milliCpu: 1000, memoryBytes: 5000, pods: 100 };
    const input = fromZero(room, pods);
    const { figures, ...estimated } = await measureEstimate(estimateOf(input));
    const decided = await measureDecision(input);
    if (decided.figures.nodes !== estimated.nodes || decided.figures.placed !== estimated.pods) {
      throw new Error(`estimated ${estimated.nodes} nodes, decided ${decided.figures.nodes}`);
    }
    return {
      size: pods.length,
      pods: pods.length,
      placed: estimated.pods,
      nodes: estimated.nodes,
      ...figures,
      peakMemoryMiB: decided.figures.peakMemoryMiB,
      decisionCpuSeconds: decided.figures.cpuSeconds,
      coldDecisionCpuSeconds: decided.figures.coldCpuSeconds,
    };
  },
  render: (figures) => [
    `${figures['placed']} of ${figures['pods']} pods on ${figures['nodes']} new nodes; the decision comes to the same and is proven to be bindable`,
    `estimate: CPU ${figures.cpuSeconds} s, of the first run ${figures.coldCpuSeconds} s`,
    `decision: CPU ${figures['decisionCpuSeconds']} s, of the first run ${figures['coldDecisionCpuSeconds']} s; peak memory ${figures.peakMemoryMiB} MiB`,
  ],
};

async function measureEstimate(work: () => ExpansionOption | undefined) {
  const times: Timed<unknown>[] = [];
  const answers = new Set<string>();
  let option: ExpansionOption | undefined;
  for (let run = 0; run < runs; run += 1) {
    const { value, ...taken } = await timed(work);
    times.push({ ...taken, value: undefined });
    answers.add(`${value?.nodes} ${value?.pods}`);
    option = value;
  }
  if (option === undefined || answers.size > 1) throw new Error('estimated in several ways');
  return { nodes: option.nodes, pods: option.pods, figures: { ...timesOf(times), runs } };
}

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
