import { getOwn } from '#cluster/own-record.ts';
import { amountIn } from '#cluster/resources.ts';
import { scoredForNone } from '#cluster/scored-requests.ts';
import { withRoom } from './growing.ts';
import type { NodeList } from './node-list.ts';
import type { StatePod } from './scheduling-state.ts';

/** CPU and memory as LeastAllocated counts them: a container that asks for none counts with some. */
export interface Scored {
  readonly milliCpu: number;
  readonly memoryBytes: number;
}

export const scoredRequests = ({ requests, scoredRequests: scored = {} }: StatePod): Scored => ({
  milliCpu: getOwn(scored, 'cpu') ?? getOwn(requests, 'cpu') ?? scoredForNone.cpu,
  memoryBytes: getOwn(scored, 'memory') ?? getOwn(requests, 'memory') ?? scoredForNone.memory,
});

/** By how much the pods of each node count for more than they ask for. */
export interface ScoredExtra {
  milliCpuOn(node: number): number;
  memoryBytesOn(node: number): number;
  place(pod: StatePod, node: number): void;
  remove(pod: StatePod, node: number): void;
  nodeAdded(node: number): void;
}

export function scoredExtra(nodes: NodeList): ScoredExtra {
  let milliCpu = new Float64Array(0);
  let memory = new Float64Array(0);
  let isPrepared = false;

  const change = (pod: StatePod, node: number, sign: number): void => {
    const scored = scoredRequests(pod);
    const moreCpu = scored.milliCpu - amountIn(pod.requests, 'cpu');
    const moreMemory = scored.memoryBytes - amountIn(pod.requests, 'memory');
    if (moreCpu === 0 && moreMemory === 0) return;
    milliCpu = withRoom(milliCpu, node + 1);
    memory = withRoom(memory, node + 1);
    milliCpu[node] = (milliCpu[node] ?? 0) + sign * moreCpu;
    memory[node] = (memory[node] ?? 0) + sign * moreMemory;
  };
  const prepare = (): void => {
    if (isPrepared) return;
    isPrepared = true;
    for (let node = 0; node < nodes.count; node += 1) {
      for (const pod of nodes.podsOn(node)) change(pod, node, 1);
    }
  };

  return {
    milliCpuOn: (node) => {
      prepare();
      return milliCpu[node] ?? 0;
    },
    memoryBytesOn: (node) => {
      prepare();
      return memory[node] ?? 0;
    },
    place: (pod, node) => {
      if (isPrepared) change(pod, node, 1);
    },
    remove: (pod, node) => {
      if (isPrepared) change(pod, node, -1);
    },
    nodeAdded: (node) => {
      if (node < milliCpu.length) milliCpu[node] = 0;
      if (node < memory.length) memory[node] = 0;
    },
  };
}
