import { amountIn } from '#cluster/resources.ts';
import { type NodeView, type PodView, podKey } from '#cluster/snapshot.ts';
import { fits } from '#scheduling/fit.ts';
import {
  freeAmount,
  placePod,
  type SchedulablePod,
  type SchedulingNode,
  schedulingNode,
} from '#scheduling/node.ts';
import type { Random } from './random.ts';
import type { PodState, WorldState } from './state.ts';

/** From an event to the scheduler's look at its queue. */
const reactionMs = 20;

export interface Scheduler {
  /** Something changed: the queue is looked at shortly; many changes at once are one look. */
  attend(): void;
  /** Whether the pod would run on the node if it had it to itself. */
  wouldHost(node: NodeView, pod: PodView): boolean;
}

/** kube-scheduler's LeastAllocated: the mean share of CPU and memory left free with the pod on it. */
const leastAllocated = (pod: SchedulablePod, node: SchedulingNode): number => {
  const share = (resource: string): number => {
    const whole = amountIn(node.allocatable, resource);
    if (whole === 0) return 0;
    return (freeAmount(node, resource) - amountIn(pod.requests, resource)) / whole;
  };
  return share('cpu') + share('memory');
};

const inQueueOrder = (a: PodState, b: PodState): number =>
  (b.view.priority ?? 0) - (a.view.priority ?? 0) ||
  (a.view.createdAtMs ?? 0) - (b.view.createdAtMs ?? 0);

/**
 * A scheduler that binds as kube-scheduler does by default: highest priority first, then oldest; on the
 * node with the best LeastAllocated score, the oldest node on a tie. No preemption. It also plays the
 * kubelet's part for pods: start, run, finish.
 */
export const createScheduler = (state: WorldState, random: Random): Scheduler => {
  const { timeline } = state;
  const offers = new Map<string, { readonly view: NodeView; readonly node: SchedulingNode }>();
  let due = false;

  /** What the node offers now; counted anew when the Node changed or a pod left it. */
  const offerOf = (view: NodeView): SchedulingNode => {
    const known = offers.get(view.name);
    if (known?.view === view) return known.node;
    const node = schedulingNode(view);
    for (const pod of state.podsOn.get(view.name) ?? []) placePod(pod.view, node);
    offers.set(view.name, { view, node });
    return node;
  };

  /** Whether the pod was taken away with its node meanwhile. */
  const isGone = (pod: PodState): boolean => state.pods.get(podKey(pod.view)) !== pod;

  const finish = (pod: PodState, node: string): void => {
    if (isGone(pod)) return;
    pod.view = { ...pod.view, phase: 'Succeeded' };
    state.podsOn.get(node)?.delete(pod);
    offers.delete(node);
    const { workload } = pod;
    if (workload !== undefined) {
      state.tell({ kind: 'podFinished', pod: podKey(pod.view), workload, node });
    }
    attend();
  };

  const run = (pod: PodState, node: string): void => {
    if (isGone(pod)) return;
    const nowMs = timeline.nowMs();
    pod.view = { ...pod.view, phase: 'Running' };
    pod.runningAtMs = nowMs;
    const { workload } = pod;
    if (workload !== undefined) {
      const afterMs = nowMs - (pod.view.createdAtMs ?? nowMs);
      state.tell({ kind: 'podRunning', pod: podKey(pod.view), workload, node, afterMs });
    }
    if (pod.runsFor === undefined) return;
    const { fromMs, toMs } = pod.runsFor;
    timeline.at(nowMs + random.between(fromMs, toMs), () => finish(pod, node));
  };

  const bind = (pod: PodState, node: SchedulingNode): void => {
    placePod(pod.view, node);
    state.waiting.delete(pod);
    state.podsOn.get(node.name)?.add(pod);
    const sinceMs = timeline.nowMs();
    pod.view = { ...pod.view, nodeName: node.name, scheduled: { status: 'True', sinceMs } };
    if (pod.workload !== undefined) {
      state.tell({ kind: 'podBound', pod: podKey(pod.view), node: node.name });
    }
    timeline.at(sinceMs + random.between(pod.start.fromMs, pod.start.toMs), () =>
      run(pod, node.name),
    );
  };

  const bestNode = (
    pod: SchedulablePod,
    nodes: readonly SchedulingNode[],
  ): SchedulingNode | undefined => {
    let best: { readonly node: SchedulingNode; readonly score: number } | undefined;
    for (const node of nodes) {
      if (!fits(pod, node)) continue;
      const score = leastAllocated(pod, node);
      if (best === undefined || score > best.score) best = { node, score };
    }
    return best?.node;
  };

  const look = (): void => {
    due = false;
    const nodes = [...state.nodes.values()].filter(({ ready }) => ready === 'True').map(offerOf);
    const refused = new Set<string>();
    const unschedulable: string[] = [];
    for (const pod of [...state.waiting].sort(inQueueOrder)) {
      // Nodes only fill up within one look: what had no room for one has none for its likes.
      const node = refused.has(pod.podClass) ? undefined : bestNode(pod.view, nodes);
      if (node !== undefined) {
        bind(pod, node);
        continue;
      }
      refused.add(pod.podClass);
      if (pod.view.scheduled !== undefined) continue;
      pod.view = {
        ...pod.view,
        scheduled: { status: 'False', reason: 'Unschedulable', sinceMs: timeline.nowMs() },
      };
      if (pod.workload !== undefined) unschedulable.push(podKey(pod.view));
    }
    if (unschedulable.length > 0) state.tell({ kind: 'podsUnschedulable', pods: unschedulable });
  };

  const attend = (): void => {
    if (due || state.waiting.size === 0) return;
    due = true;
    timeline.at(timeline.nowMs() + reactionMs, look);
  };

  return { attend, wouldHost: (node, pod) => fits(pod, schedulingNode(node)) };
};
