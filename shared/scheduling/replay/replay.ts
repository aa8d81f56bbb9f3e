import type { ScoreQuestion } from '../scores/score-question.ts';
import { withRoom } from '../state/growing.ts';
import type { FitQuestion, SchedulingState, StatePod } from '../state/scheduling-state.ts';
import { type Trials, unlimitedTrials } from '../trials.ts';
import { inLookingOrder, nodesToFind } from './node-order.ts';
import {
  type FoundNodes,
  findPassing,
  type LookingOrder,
  type NodeSearch,
  nodeSearch,
} from './node-search.ts';
import { type Ties, tieBreakOf } from './tie-break.ts';

export interface Binding<Pod> {
  readonly pod: Pod;
  /** Its position in the state. */
  readonly node: number;
}

export interface Replayed<Pod> {
  /** In the order in which they were bound. */
  readonly bound: readonly Binding<Pod>[];
  /** Pods that no node takes, in the order of the queue. */
  readonly pending: readonly Pod[];
  /** Pods whose turn did not come before the trials were used up, in the order of the queue. */
  readonly untried: readonly Pod[];
}

export interface ReplayOptions {
  /** Positions of the nodes that take pods: Ready ones. */
  readonly nodes: readonly number[];
  readonly ties: Ties;
  /** Of the draws of ties. Default 0. */
  readonly seed?: number;
  /** Scores every node that passes, as `percentageOfNodesToScore: 100`; else as many as by default. */
  readonly scoreAll?: boolean;
  readonly trials?: Trials;
  /** Which nodes are for a pod and those of its class at all, whatever filters say. Absent: every node. */
  readonly mayTake?: MayTake;
}

export type MayTake = (pod: StatePod, node: number) => boolean;

/** kube-scheduler at work on a state: what it binds stays placed there. */
export interface Scheduler {
  /** Nodes that take pods from now on, beside those before. */
  join(nodes: readonly number[]): void;
  /** Binds pods in the order given, as the queue hands them out (`inQueueOrder`). */
  run<Pod extends StatePod>(pods: readonly Pod[]): Replayed<Pod>;
}

/** One class of pods: they pass the same nodes. */
interface PodClass {
  readonly search: NodeSearch;
  readonly onlyNames: ReadonlySet<string> | undefined;
  /** No node takes one, and none will before a node joins: nodes only fill up. */
  isRefused: boolean;
}

/** A pod with what it was found to be, once everything that matters to classes was known. */
interface Known<Pod> {
  readonly pod: Pod;
  readonly podClass: PodClass;
  readonly scores: ScoreQuestion;
}

/**
 * A scheduler of the default profile (kube-scheduler 1.37): each pod goes where it fits to the node with
 * the best score, one after another; those that others may give a place (affinity, spread) are tried again
 * as long as pods are bound. It preempts nobody. Names that nodes have in common with none but themselves
 * matter as they do there; what a batch of alike pods remembers of nodes that were not scored does not.
 */
export function scheduler(state: SchedulingState, options: ReplayOptions): Scheduler {
  const { trials = unlimitedTrials() } = options;
  const choose = tieBreakOf(options.ties, options.seed);
  const classes = new Map<FitQuestion, PodClass>();
  const found: FoundNodes = { list: new Int32Array(0), count: 0 };
  let nodes: readonly number[] = [];
  let byName: Map<string, number> | undefined;
  let order: LookingOrder = { nodes: new Int32Array(0), enough: 0, start: 0 };
  let sums = new Float64Array(0);

  const join = (more: readonly number[]): void => {
    nodes = [...nodes, ...more];
    byName = undefined;
    const enough = options.scoreAll ? nodes.length : nodesToFind(nodes.length);
    order = { nodes: inLookingOrder(state, nodes), enough, start: order.start };
    for (const podClass of classes.values()) podClass.isRefused = false;
  };
  const classOf = (pod: StatePod): PodClass => {
    const question = state.questionOf(pod);
    let podClass = classes.get(question);
    if (podClass === undefined) {
      const { mayTake } = options;
      const isFor = mayTake && ((node: number) => mayTake(pod, node));
      const search = nodeSearch(state, question, isFor);
      podClass = { search, onlyNames: question.onlyNames, isRefused: false };
      classes.set(question, podClass);
    }
    return podClass;
  };
  /** The few nodes that a class may run on by their names, of which all are looked at. */
  const named = (names: ReadonlySet<string>): LookingOrder => {
    byName ??= new Map(nodes.map((node) => [state.nodeAt(node).name, node]));
    const few = [...names].flatMap((name) => byName?.get(name) ?? []);
    return { nodes: Int32Array.from(few), enough: few.length, start: 0 };
  };
  const nodeFor = ({ podClass, scores }: Known<StatePod>): number | undefined => {
    if (podClass.isRefused) return undefined;
    const { search, onlyNames } = podClass;
    const among = onlyNames === undefined ? order : named(onlyNames);
    findPassing(search, { order: among, found }, trials);
    if (found.count === 0) {
      podClass.isRefused = !search.mayChange();
      return undefined;
    }
    if (found.count === 1) return found.list[0];
    sums = withRoom(sums, found.count);
    scores.score(found, sums);
    return choose(found, sums);
  };
  const known = new Map<StatePod, Known<StatePod>>();
  /** All are made known first, so that classes hold whoever is bound meanwhile. */
  const know = <Pod extends StatePod>(pods: readonly Pod[]): readonly Known<Pod>[] => {
    const strange = pods.filter((pod) => !known.has(pod));
    if (strange.length > 0) {
      state.learn(strange);
      for (const pod of strange) state.scoresOf(pod);
      // Those known before may be told apart by what the new ones look at.
      for (const pod of [...known.keys(), ...strange]) {
        known.set(pod, { pod, podClass: classOf(pod), scores: state.scoresOf(pod) });
      }
    }
    return pods.map((pod) => known.get(pod) as Known<Pod>);
  };

  join(options.nodes);
  return {
    join,
    run: (pods) => {
      type Pod = (typeof pods)[number];
      const bound: Binding<Pod>[] = [];
      let waiting = know(pods);
      let untried: typeof waiting = [];
      for (let progress = true; progress && untried.length === 0; ) {
        progress = false;
        const left: Known<Pod>[] = [];
        for (const [index, one] of waiting.entries()) {
          if (trials.left <= 0) {
            untried = waiting.slice(index);
            break;
          }
          const node = nodeFor(one);
          if (node === undefined) {
            left.push(one);
            continue;
          }
          state.place(one.pod, node);
          bound.push({ pod: one.pod, node });
          progress = true;
        }
        waiting = left;
        progress &&= waiting.some(({ podClass }) => podClass.search.mayChange());
      }
      return { bound, pending: podsOf(waiting), untried: podsOf(untried) };
    },
  };
}

const podsOf = <Pod>(known: readonly Known<Pod>[]): readonly Pod[] => known.map(({ pod }) => pod);

/** What kube-scheduler would make of these pods, in the order of its queue. What it binds stays placed. */
export const replay = <Pod extends StatePod>(
  state: SchedulingState,
  pods: readonly Pod[],
  options: ReplayOptions,
): Replayed<Pod> => scheduler(state, options).run(pods);

/** Takes back what was bound. */
export function undo(state: SchedulingState, bound: readonly Binding<StatePod>[]): void {
  for (const { pod, node } of bound.toReversed()) state.remove(pod, node);
}
