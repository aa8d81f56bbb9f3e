import { type NodeView, type PodView, podKey } from '#cluster/snapshot.ts';
import { inQueueOrder } from '#scheduling/replay/queue-order.ts';
import { scheduler } from '#scheduling/replay/replay.ts';
import { schedulingState } from '#scheduling/state/scheduling-state.ts';
import { liveState } from './live-state.ts';
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

/**
 * A scheduler that binds as kube-scheduler does by default: highest priority first, then oldest; on the
 * node with the best score, the oldest node on a tie. No preemption. It also plays the kubelet's part for
 * pods: start, run, finish.
 */
export const createScheduler = (state: WorldState, random: Random): Scheduler => {
  const { timeline } = state;
  const live = liveState(state);
  let due = false;

  /** Whether the pod was taken away with its node meanwhile. */
  const isGone = (pod: PodState): boolean => state.pods.get(podKey(pod.view)) !== pod;

  const finish = (pod: PodState, node: string): void => {
    if (isGone(pod)) return;
    pod.view = { ...pod.view, phase: 'Succeeded' };
    state.podsOn.get(node)?.delete(pod);
    live.release(pod);
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

  const bind = (pod: PodState, node: string): void => {
    state.waiting.delete(pod);
    state.podsOn.get(node)?.add(pod);
    const sinceMs = timeline.nowMs();
    pod.view = { ...pod.view, nodeName: node, scheduled: { status: 'True', sinceMs } };
    if (pod.workload !== undefined) {
      state.tell({ kind: 'podBound', pod: podKey(pod.view), node });
    }
    timeline.at(sinceMs + random.between(pod.start.fromMs, pod.start.toMs), () => run(pod, node));
  };

  const refuse = (pod: PodState): void => {
    pod.view = {
      ...pod.view,
      scheduled: { status: 'False', reason: 'Unschedulable', sinceMs: timeline.nowMs() },
    };
  };

  const look = (): void => {
    due = false;
    const current = live.current();
    const nodes = Array.from({ length: current.nodeCount }, (_, node) => node);
    const queue = new Map([...state.waiting].map((pod) => [pod.view, pod]));
    const { bound, pending } = scheduler(current, { nodes, ties: 'lowest' }).run(
      [...queue.keys()].sort(inQueueOrder),
    );
    for (const { pod: view, node } of bound) {
      const pod = queue.get(view);
      if (pod === undefined) continue;
      live.bind(pod, node);
      bind(pod, current.nodeAt(node).name);
    }
    const refused = pending
      .flatMap((view) => queue.get(view) ?? [])
      .filter(({ view }) => view.scheduled === undefined);
    for (const pod of refused) refuse(pod);
    const told = refused.filter(({ workload }) => workload !== undefined);
    if (told.length > 0) {
      state.tell({ kind: 'podsUnschedulable', pods: told.map(({ view }) => podKey(view)) });
    }
  };

  const attend = (): void => {
    if (due || state.waiting.size === 0) return;
    due = true;
    timeline.at(timeline.nowMs() + reactionMs, look);
  };

  return {
    attend,
    wouldHost: (node, pod) => {
      const alone = schedulingState({ namespaces: [], storage: {} }, [
        { template: node, pods: [] },
      ]);
      return alone.questionOf(pod).passes(0);
    },
  };
};
