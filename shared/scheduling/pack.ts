import { amountIn } from '#cluster/resources.ts';
import { fits } from './fit.ts';
import { freeAmount, placePod, type SchedulablePod, type SchedulingNode } from './node.ts';
import { nodeIndexOf } from './node-index.ts';
import { schedulingKey } from './scheduling-key.ts';
import { type Trials, trialsOfFilters, unlimitedTrials } from './trials.ts';

export interface Placement<Pod> {
  readonly pod: Pod;
  readonly node: SchedulingNode;
}

export interface NodePacking<Pod> {
  /** In the order of the pods. */
  readonly placed: readonly Placement<Pod>[];
  /** In the order of the pods. */
  readonly unplaced: readonly Pod[];
  /** Pods of classes whose turn did not come: the trials were used up before. In the order of the pods. */
  readonly untried: readonly Pod[];
}

/** A class of pods that all ask alike, and how far through the nodes it has come. */
interface Search {
  readonly candidates: readonly number[] | undefined;
  readonly milliCpu: number;
  readonly memory: number;
  next: number;
}

/**
 * Places each pod, in the order given, on the first of the nodes that takes it. The nodes fill up in
 * place: give copies to a simulation. Only nodes that the pod's selectors leave are looked at, and all
 * filters are asked only where CPU, memory and the number of pods would do.
 */
export function packOnNodes<Pod extends SchedulablePod>(
  pods: readonly Pod[],
  nodes: readonly SchedulingNode[],
  trials: Trials = unlimitedTrials(),
): NodePacking<Pod> {
  const placed: Placement<Pod>[] = [];
  const unplaced: Pod[] = [];
  const untried: Pod[] = [];
  const index = nodeIndexOf(nodes);
  const milliCpu = Float64Array.from(nodes, (node) => freeAmount(node, 'cpu'));
  const memory = Float64Array.from(nodes, (node) => freeAmount(node, 'memory'));
  const slots = Float64Array.from(
    nodes,
    (node) => amountIn(node.allocatable, 'pods') - node.podCount,
  );
  const searches = new Map<string, Search>();
  const searchOf = (pod: Pod): Search => {
    const key = schedulingKey(pod);
    const known = searches.get(key);
    if (known !== undefined) return known;
    const search: Search = {
      candidates: index(pod),
      milliCpu: asked(pod, 'cpu'),
      memory: asked(pod, 'memory'),
      next: 0,
    };
    searches.set(key, search);
    return search;
  };
  /** Nodes only fill up, so that none which refused a pod of the class is asked again. */
  const find = (pod: Pod, search: Search): number | undefined => {
    const { candidates } = search;
    const end = candidates?.length ?? nodes.length;
    for (; search.next < end; search.next += 1) {
      if (trials.left <= 0) return undefined;
      trials.left -= 1;
      const at = candidates === undefined ? search.next : (candidates[search.next] ?? 0);
      if ((slots[at] ?? 0) < 1) continue;
      if (search.milliCpu > (milliCpu[at] ?? 0) || search.memory > (memory[at] ?? 0)) continue;
      trials.left -= trialsOfFilters;
      const node = nodes[at];
      if (node && fits(pod, node)) return at;
    }
    return undefined;
  };
  for (const pod of pods) {
    const search = searchOf(pod);
    const at = find(pod, search);
    const node = at === undefined ? undefined : nodes[at];
    if (at !== undefined && node !== undefined) {
      placePod(pod, node);
      milliCpu[at] = freeAmount(node, 'cpu');
      memory[at] = freeAmount(node, 'memory');
      slots[at] = (slots[at] ?? 0) - 1;
      placed.push({ pod, node });
    } else if (search.next < (search.candidates?.length ?? nodes.length)) {
      untried.push(pod);
    } else {
      unplaced.push(pod);
    }
  }
  return { placed, unplaced, untried };
}

/** A zero request asks for nothing, also of an overcommitted node. */
const asked = (pod: SchedulablePod, resource: string): number =>
  amountIn(pod.requests, resource) > 0
    ? amountIn(pod.requests, resource)
    : Number.NEGATIVE_INFINITY;
