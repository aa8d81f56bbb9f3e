import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NodeTemplate } from '#scheduling/node.ts';
import { replay } from '#scheduling/replay/replay.ts';
import {
  type SchedulingState,
  type StateContext,
  type StatePod,
  schedulingState,
} from '#scheduling/state/scheduling-state.ts';
import type { NaiveCluster } from '../helpers/naive-scheduler/naive-cluster.ts';
import { naiveReasons } from '../helpers/naive-scheduler/naive-scheduler.ts';
import { naiveBest, naiveScores } from '../helpers/naive-scheduler/naive-scores.ts';
import { withPreferences } from '../helpers/preference-arbitraries.ts';
import { namespaces, nodeTemplates, statePods } from '../helpers/state-arbitraries.ts';

interface Scene {
  readonly context: StateContext;
  readonly templates: readonly NodeTemplate[];
  readonly running: readonly StatePod[];
  readonly pods: readonly StatePod[];
}

const units: Readonly<Record<string, number>> = { cpu: 130, memory: 170 * 2 ** 20 };

/** Amounts beside which what a container without requests counts for is neither nothing nor all. */
const scaled = (amounts: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(amounts).map(([name, amount]) => [
      name,
      amount < 100 ? amount * (units[name] ?? 1) : amount,
    ]),
  );

const realRequests = (pod: StatePod): StatePod => ({
  ...pod,
  requests: scaled(pod.requests),
  ...(pod.scoredRequests === undefined ? {} : { scoredRequests: scaled(pod.scoredRequests) }),
});

const realSize = (template: NodeTemplate): NodeTemplate => ({
  ...template,
  allocatable: scaled(template.allocatable),
  labels: {
    ...template.labels,
    ...(template.labels.zone === undefined
      ? {}
      : { 'topology.kubernetes.io/zone': template.labels.zone }),
  },
});

const scene: fc.Arbitrary<Scene> = fc
  .record({
    context: namespaces.map((list) => ({ namespaces: list, storage: {} })),
    templates: nodeTemplates(5),
    pods: withPreferences(statePods(9)),
    before: fc.nat({ max: 4 }),
  })
  .map(({ context, templates, pods, before }) => ({
    context,
    templates: templates.map(realSize),
    running: pods.slice(0, before).map(realRequests),
    pods: pods.slice(before).map(realRequests),
  }));

const stateOf = ({ context, templates, running }: Scene): SchedulingState => {
  const nodes = templates.map((template) => ({ template, pods: [] as StatePod[] }));
  running.forEach((pod, index) => {
    nodes[index % nodes.length]?.pods.push(pod);
  });
  return schedulingState(context, nodes);
};

const naiveOf = (state: SchedulingState, context: StateContext): NaiveCluster => ({
  context,
  nodes: positions(state).map((node) => ({
    node: state.nodeAt(node),
    pods: [...state.podsOn(node)],
  })),
});

const positions = (state: SchedulingState): readonly number[] =>
  Array.from({ length: state.nodeCount }, (_, node) => node);

describe('a replay of the scheduler', () => {
  it('binds each pod where the rules say that it scores best, everything counted anew', () => {
    fc.assert(
      fc.property(scene, (given) => {
        const state = stateOf(given);
        const naive = stateOf(given);
        const { bound } = replay(state, given.pods, { nodes: positions(state), ties: 'lowest' });
        for (const { pod, node } of bound) {
          const [best] = naiveBest(pod, naiveOf(naive, given.context));
          expect(`${pod.name} ${node}`).toBe(`${pod.name} ${best}`);
          naive.place(pod, node);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('scores nodes as far apart as the rules do', () => {
    fc.assert(
      fc.property(scene, (given) => {
        const state = stateOf(given);
        replay(state, given.pods.slice(1), { nodes: positions(state), ties: 'drawn' });
        const cluster = naiveOf(state, given.context);
        for (const pod of given.pods.slice(0, 1)) {
          const list = positions(state).filter((node) => state.questionOf(pod).passes(node));
          const scores = new Float64Array(list.length);
          const passed = { list: Int32Array.from(list), count: list.length };
          state.scoresOf(pod).score(passed, scores);
          const expected = naiveScores(
            pod,
            list.flatMap((node) => cluster.nodes[node] ?? []),
            cluster,
          );
          expect([...scores].map((one) => one - (scores[0] ?? 0))).toEqual(
            expected.map((one) => one - (expected[0] ?? 0)),
          );
        }
      }),
      { numRuns: 400 },
    );
  });

  it('leaves a pod Pending only where the rules refuse it on every node', () => {
    fc.assert(
      fc.property(scene, fc.constantFrom('lowest', 'highest', 'drawn'), (given, ties) => {
        const state = stateOf(given);
        const { bound, pending, untried } = replay(state, given.pods, {
          nodes: positions(state),
          ties,
        });
        expect(untried).toEqual([]);
        expect([...bound.map(({ pod }) => pod), ...pending].map(({ uid }) => uid).sort()).toEqual(
          given.pods.map(({ uid }) => uid).sort(),
        );
        const cluster = naiveOf(state, given.context);
        for (const pod of pending) {
          for (const where of cluster.nodes) {
            expect(naiveReasons(pod, where, cluster)).not.toEqual([]);
          }
        }
      }),
    );
  });
});
