import { amountIn } from '#cluster/resources.ts';
import type { PodView } from '#cluster/snapshot.ts';
import type { SchedulingState } from '#scheduling/state/scheduling-state.ts';
import type { Trials } from '#scheduling/trials.ts';
import type { Demand, PodClass } from './pod-class.ts';

/** A pod and the position of the node that took it. */
export interface Spot {
  readonly pod: PodView;
  readonly node: number;
}

export interface Placed {
  /** In the order in which the pods were placed. */
  readonly spots: readonly Spot[];
  readonly homeless: readonly Demand[];
  /** Classes whose turn did not come before the trials were used up: the last ones. */
  readonly untried: readonly Demand[];
}

export interface Places {
  readonly state: SchedulingState;
  /** Positions of the nodes, in the order in which they are tried. */
  readonly nodes: readonly number[];
  /** Nodes that are tried before them for pods about which others decide: they may take them by now. */
  readonly changed?: readonly number[];
  /** Of the nodes, those that labels do not rule out for the pod: a superset, in their order. */
  readonly among?: (pod: PodView) => readonly number[] | undefined;
  /** Whether a node may be tried at all: what comes in its place must take the pod too. Absent: it may. */
  readonly isSure?: (podClass: PodClass, node: number) => boolean;
}

/**
 * First fit of every class, in order, into the state. What other pods decide is tried again as long as anything
 * finds a place: a node refuses for the sake of balance now and takes the pod once the others have theirs.
 */
export const placePods = (demands: readonly Demand[], places: Places, trials: Trials): Placed => {
  const spots: Spot[] = [];
  const open = openNodes(demands, places);
  let homeless: Demand[] = [];
  for (const [index, demand] of demands.entries()) {
    if (trials.left <= 0) return { spots, homeless, untried: demands.slice(index) };
    const left = placeClass(demand, open, { spots, trials });
    if (left.length > 0) homeless.push({ podClass: demand.podClass, pods: left });
  }
  for (let before = -1; before !== spots.length && trials.left > 0; ) {
    before = spots.length;
    homeless = homeless.flatMap((demand) => {
      if (!demand.podClass.mayChange) return [demand];
      const left = placeClass(demand, open, { spots, trials });
      return left.length > 0 ? [{ podClass: demand.podClass, pods: left }] : [];
    });
  }
  return { spots, homeless, untried: [] };
};

/** Nodes that still have room for the smallest of the pods. */
export interface OpenNodes {
  readonly state: SchedulingState;
  nodesFor(podClass: PodClass): readonly number[];
  isSure(podClass: PodClass, node: number): boolean;
  add(node: number): void;
  remove(node: number): void;
  /** Pods were put on the node. */
  filled(node: number): void;
}

export const openNodes = (demands: readonly Demand[], places: Places): OpenNodes => {
  const { state, changed = [], among, isSure = () => true } = places;
  const least = (resource: string): number =>
    demands.reduce(
      (amount, { podClass }) => Math.min(amount, amountIn(podClass.sample.requests, resource)),
      Number.POSITIVE_INFINITY,
    );
  const [milliCpu, memory] = [least('cpu'), least('memory')];
  const isSpent = (node: number): boolean =>
    state.free(node, 'pods') < 1 ||
    (milliCpu > 0 && state.free(node, 'cpu') < milliCpu) ||
    (memory > 0 && state.free(node, 'memory') < memory);
  let open = places.nodes.filter((node) => !isSpent(node));
  let someSpent = false;
  return {
    state,
    isSure,
    nodesFor: ({ mayChange, sample }) => {
      if (someSpent) open = open.filter((node) => !isSpent(node));
      someSpent = false;
      return among?.(sample) ?? (mayChange && changed.length > 0 ? [...changed, ...open] : open);
    },
    add: (node) => {
      open.push(node);
    },
    remove: (node) => {
      open = open.filter((one) => one !== node);
    },
    filled: (node) => {
      someSpent ||= isSpent(node);
    },
  };
};

interface Log {
  readonly spots: Spot[];
  readonly trials: Trials;
}

/** Places what it can of one class and gives the rest. */
export const placeClass = (demand: Demand, open: OpenNodes, log: Log): readonly PodView[] =>
  demand.pods.slice(placeFrom(0, demand, { ...log, open }));

interface Placing extends Log {
  readonly open: OpenNodes;
  /** On that node alone. Absent: on any. */
  readonly only?: number;
}

/** Places what it can of one class, beginning with the pod at `first`, and gives the first that has no place then. */
export const placeFrom = (
  first: number,
  { podClass, pods }: Demand,
  { open, spots, trials, only }: Placing,
): number => {
  const { question, mayChange } = podClass;
  if (question.rejected !== undefined) return first;
  const nodes = only === undefined ? open.nodesFor(podClass) : [only];
  let next = first;
  for (let before = -1; before !== next && next < pods.length; ) {
    before = next;
    for (const node of nodes) {
      if (next === pods.length || trials.left <= 0) break;
      trials.left -= 1;
      if (!open.isSure(podClass, node)) continue;
      const end = next + question.countThatFits(node, pods.length - next);
      if (end === next) continue;
      for (; next < end; next += 1) {
        const pod = pods[next];
        if (pod === undefined) break;
        open.state.place(pod, node);
        spots.push({ pod, node });
      }
      open.filled(node);
    }
    if (!mayChange) break;
  }
  return next;
};

/** Takes pods off their nodes again, the last one first. */
export const takeAway = (spots: readonly Spot[], state: SchedulingState): void => {
  for (let index = spots.length - 1; index >= 0; index -= 1) {
    const spot = spots[index];
    if (spot !== undefined) state.remove(spot.pod, spot.node);
  }
};
