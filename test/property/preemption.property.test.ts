import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { preemptionFor } from '#scheduling/preemption/preemption.ts';
import {
  type SchedulingState,
  type StateContext,
  type StatePod,
  schedulingState,
} from '#scheduling/state/scheduling-state.ts';
import { unlimitedTrials } from '#scheduling/trials.ts';
import type { NaiveCluster } from '../helpers/naive-scheduler/naive-cluster.ts';
import { naiveReasons } from '../helpers/naive-scheduler/naive-scheduler.ts';
import { namespaces, nodeTemplates, statePods } from '../helpers/state-arbitraries.ts';

const scene = fc.record({
  context: namespaces.map((list): StateContext => ({ namespaces: list, storage: {} })),
  templates: nodeTemplates(3),
  pods: statePods(9),
  priorities: fc.array(fc.integer({ min: -1, max: 2 }), { minLength: 9, maxLength: 9 }),
});

interface Played {
  readonly state: SchedulingState;
  /** The last of the pods: it waits, the others run. */
  readonly pod: StatePod | undefined;
  readonly nodes: readonly number[];
}

const play = ({
  context,
  templates,
  pods,
  priorities,
}: typeof scene extends fc.Arbitrary<infer Value> ? Value : never): Played => {
  const ranked = pods.map((pod, index) => ({ ...pod, priority: priorities[index] ?? 0 }));
  const state = schedulingState(
    context,
    templates.map((template, node) => ({
      template,
      pods: ranked.slice(0, -1).filter((_, index) => index % templates.length === node),
    })),
  );
  return { state, pod: ranked.at(-1), nodes: [...templates.keys()] };
};

/** The cluster as it would be without some pods. */
const without = (
  { state, nodes }: Played,
  gone: readonly StatePod[],
  context: StateContext,
): NaiveCluster => ({
  context,
  nodes: nodes.map((node) => ({
    node: state.nodeAt(node),
    pods: state.podsOn(node).filter((one) => !gone.includes(one)),
  })),
});

const fits = (pod: StatePod, node: number, cluster: NaiveCluster): boolean => {
  const where = cluster.nodes[node];
  return where !== undefined && naiveReasons(pod, where, cluster).length === 0;
};

const lowerOn = ({ state }: Played, node: number, pod: StatePod): readonly StatePod[] =>
  state.podsOn(node).filter(({ priority = 0 }) => priority < (pod.priority ?? 0));

describe('preemption', () => {
  it('makes room by pods of lower priority alone, of which none could stay', () => {
    fc.assert(
      fc.property(scene, (given) => {
        const played = play(given);
        const { state, pod, nodes } = played;
        fc.pre(pod !== undefined && nodes.every((node) => !state.questionOf(pod).passes(node)));
        if (pod === undefined) return;
        const trials = unlimitedTrials();
        const found = preemptionFor(pod, { state, nodes, budgets: [], trials });
        fc.pre(found !== undefined);
        if (found === undefined) return;
        const { victims, node } = found;
        const lower = lowerOn(played, node, pod);
        expect(victims.every((one) => lower.includes(one))).toBe(true);
        expect(fits(pod, node, without(played, victims, given.context))).toBe(true);
        // Least important first, each would be in the way: those more important were spared before.
        const last = victims.at(-1);
        const rest = victims.filter((one) => one !== last);
        expect(fits(pod, node, without(played, rest, given.context))).toBe(false);
      }),
      { numRuns: 300, maxSkipsPerRun: 1000 },
    );
  });

  it('helps exactly where some node would take the pod without all of lower priority', () => {
    fc.assert(
      fc.property(scene, (given) => {
        const played = play(given);
        const { state, pod, nodes } = played;
        fc.pre(pod !== undefined && nodes.every((node) => !state.questionOf(pod).passes(node)));
        if (pod === undefined) return;
        const found = preemptionFor(pod, { state, nodes, budgets: [], trials: unlimitedTrials() });
        const helped = nodes.some((node) => {
          const lower = lowerOn(played, node, pod);
          return lower.length > 0 && fits(pod, node, without(played, lower, given.context));
        });
        expect(found !== undefined).toBe(helped);
      }),
      { numRuns: 300, maxSkipsPerRun: 1000 },
    );
  });

  it('leaves the state as it was', () => {
    fc.assert(
      fc.property(scene, (given) => {
        const { state, pod, nodes } = play(given);
        fc.pre(pod !== undefined);
        if (pod === undefined) return;
        const look = () =>
          nodes.map((node) => [
            new Set(state.podsOn(node)),
            given.pods.map((one) => state.questionOf(one).explainAll(node)),
          ]);
        const before = look();
        preemptionFor(pod, { state, nodes, budgets: [], trials: unlimitedTrials() });
        expect(look()).toEqual(before);
      }),
    );
  });
});
