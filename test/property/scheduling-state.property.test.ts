import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NodeTemplate } from '#scheduling/node.ts';
import {
  type SchedulingState,
  type StateContext,
  type StatePod,
  schedulingState,
} from '#scheduling/state/scheduling-state.ts';
import type { NaiveCluster } from '../helpers/naive-scheduler/naive-cluster.ts';
import { naiveReasons } from '../helpers/naive-scheduler/naive-scheduler.ts';
import { namespaces, nodeTemplates, statePods } from '../helpers/state-arbitraries.ts';
import { storages, withVolumes } from '../helpers/storage-arbitraries.ts';

interface Scene {
  readonly context: StateContext;
  readonly templates: readonly NodeTemplate[];
  readonly pods: readonly StatePod[];
  /** What is done, one after another: 0 places or takes away, 1 adds a node, 2 takes the newest away. */
  readonly steps: readonly { readonly kind: number; readonly pod: number; readonly node: number }[];
}

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom(0, 0, 0, 0, 1, 2),
    pod: fc.nat({ max: 6 }),
    node: fc.nat({ max: 5 }),
  }),
  { maxLength: 14 },
);

const plainScene: fc.Arbitrary<Scene> = fc.record({
  context: namespaces.map((list) => ({ namespaces: list, storage: {} })),
  templates: nodeTemplates(4),
  pods: statePods(7),
  steps,
});

/** With storage. */
const scene: fc.Arbitrary<Scene> = fc.oneof(
  plainScene,
  fc.record({
    context: fc.record({ namespaces, storage: storages }),
    templates: nodeTemplates(4),
    pods: withVolumes(statePods(7)),
    steps,
  }),
);

interface Played {
  readonly state: SchedulingState;
  /** Where pods are in the end, in the order in which they came. */
  readonly places: ReadonlyMap<StatePod, number>;
}

/** Plays the steps; `look` is called between them. */
function play(
  { context, templates, pods, steps }: Scene,
  look: (state: SchedulingState, pod: StatePod) => void = () => undefined,
): Played {
  const state = schedulingState(
    context,
    templates.map((template) => ({ template, pods: [] })),
  );
  const places = new Map<StatePod, number>();
  let names = 0;
  for (const { kind, pod: index, node: choice } of steps) {
    const pod = pods[index % Math.max(pods.length, 1)];
    const template = templates[choice % templates.length];
    if (pod === undefined || template === undefined) continue;
    const where = places.get(pod);
    const newest = state.nodeCount - 1;
    if (kind === 1) {
      state.addNode(template, `extra-${names}`);
      names += 1;
    } else if (kind === 2) {
      if (newest >= 0 && state.podsOn(newest).length === 0) state.removeNewestNode();
    } else if (where !== undefined) {
      state.remove(pod, where);
      places.delete(pod);
    } else if (state.nodeCount > 0) {
      places.set(pod, choice % state.nodeCount);
      state.place(pod, choice % state.nodeCount);
    }
    look(state, pod);
  }
  return { state, places };
}

/** A state made anew in which the same pods came to the same nodes. */
function anewOf({ state, places }: Played, context: StateContext): SchedulingState {
  const anew = schedulingState(
    context,
    positions(state).map((node) => ({ template: state.nodeAt(node), pods: [] })),
  );
  for (const [pod, node] of places) anew.place(pod, node);
  return anew;
}

const naiveOf = (state: SchedulingState, context: StateContext): NaiveCluster => ({
  context,
  nodes: positions(state).map((node) => ({ node: state.nodeAt(node), pods: state.podsOn(node) })),
});

const positions = (state: SchedulingState): readonly number[] =>
  Array.from({ length: state.nodeCount }, (_, node) => node);

const words = (state: SchedulingState, pod: StatePod, node: number): readonly string[] => [
  ...new Set(
    state
      .questionOf(pod)
      .explain(node)
      .map(({ schedulerReason }) => schedulerReason ?? 'no words')
      .sort(),
  ),
];

/** Answers of all questions for all nodes. */
const answers = (state: SchedulingState, pods: readonly StatePod[]) =>
  pods.map((pod) => positions(state).map((node) => state.questionOf(pod).explainAll(node)));

const runs = { numRuns: 10000 };

const looking = (state: SchedulingState, pod: StatePod): void => {
  if (state.nodeCount > 0) state.questionOf(pod).passes(0);
};

describe('the scheduling state', () => {
  it('says of every node what the rules say when everything is counted anew', () => {
    fc.assert(
      fc.property(plainScene, (given) => {
        const { state } = play(given, looking);
        const naive = naiveOf(state, given.context);
        for (const pod of given.pods) {
          naive.nodes.forEach((where, node) => {
            expect(words(state, pod, node)).toEqual(naiveReasons(pod, where, naive));
          });
        }
      }),
      runs,
    );
  });

  it('says of every node what the rules of storage say about pods that run there', () => {
    fc.assert(
      fc.property(scene, (given) => {
        const { state } = play(given);
        const naive = naiveOf(state, given.context);
        const running = schedulingState(
          given.context,
          naive.nodes.map(({ node, pods }) => ({ template: node, pods })),
        );
        for (const pod of given.pods) {
          naive.nodes.forEach((where, node) => {
            expect(words(running, pod, node)).toEqual(naiveReasons(pod, where, naive));
          });
        }
      }),
      runs,
    );
  });

  it('passes a pod exactly where it has no reason against it, and suits wherever it passes', () => {
    fc.assert(
      fc.property(scene, (given) => {
        const { state } = play(given);
        for (const pod of given.pods) {
          const question = state.questionOf(pod);
          for (const node of positions(state)) {
            const passes = question.passes(node);
            expect(question.explain(node).length === 0).toBe(passes);
            expect(question.explainAll(node).length === 0).toBe(passes);
            if (passes) expect(question.suits(node)).toBe(true);
          }
        }
      }),
      runs,
    );
  });

  it('answers after any sequence of changes as a state made anew', () => {
    fc.assert(
      fc.property(scene, fc.boolean(), (given, looksBetween) => {
        const played = play(given, looksBetween ? looking : undefined);
        const anew = anewOf(played, given.context);
        expect(answers(played.state, given.pods)).toEqual(answers(anew, given.pods));
      }),
      runs,
    );
  });

  it('counts as many of a class in a row as can be placed one by one', () => {
    fc.assert(
      fc.property(scene, fc.nat({ max: 8 }), (given, wanted) => {
        const { state } = play(given);
        for (const pod of given.pods) {
          for (const node of positions(state)) {
            const counted = state.questionOf(pod).countThatFits(node, wanted);
            const placed: StatePod[] = [];
            while (placed.length < wanted && state.questionOf(pod).passes(node)) {
              const twin = { ...pod, name: `twin-${placed.length}` };
              state.place(twin, node);
              placed.push(twin);
            }
            for (const twin of placed.reverse()) state.remove(twin, node);
            expect(counted).toBe(placed.length);
          }
        }
      }),
      runs,
    );
  });

  it('answers alike for pods of one class, whatever is placed', () => {
    fc.assert(
      fc.property(scene, (given) => {
        const played = play(given);
        const { state } = played;
        state.learn(given.pods);
        for (const one of given.pods) {
          for (const other of given.pods) {
            if (state.questionOf(one).id !== state.questionOf(other).id) continue;
            const anew = anewOf(played, given.context);
            for (const node of positions(state)) {
              expect(words(anew, other, node)).toEqual(words(state, one, node));
            }
          }
        }
      }),
      runs,
    );
  });
});
