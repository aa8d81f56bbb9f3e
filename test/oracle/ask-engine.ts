import type { ClusterSnapshot, PodView } from '#cluster/snapshot.ts';
import { occupancyOf } from '#scaling/occupancy.ts';
import { type SchedulingState, schedulingState } from '#scheduling/state/scheduling-state.ts';
import type { Verdict } from './verdict.ts';

/** Answers for one cluster; pods that are asked about are not part of it. */
export const engineFor = (
  snapshot: ClusterSnapshot,
  there: readonly PodView[],
): ((pod: PodView) => Verdict) => {
  const state = stateOf(snapshot, there);
  return (pod) => verdictIn(state, pod);
};

const stateOf = (snapshot: ClusterSnapshot, pods: readonly PodView[]): SchedulingState => {
  const occupancy = occupancyOf(snapshot.nodes, pods);
  return schedulingState(
    { namespaces: snapshot.namespaces ?? [], storage: snapshot },
    snapshot.nodes.map((template) => ({ template, pods: occupancy.get(template.name) ?? [] })),
  );
};

const verdictIn = (state: SchedulingState, pod: PodView): Verdict => {
  const question = state.questionOf(pod);
  const nodes = state.nodeCount;
  const rejected = question.rejected;
  if (rejected !== undefined) {
    return {
      passed: [],
      nodes,
      reasons: {},
      rejected: rejected.schedulerReason ?? rejected.message,
    };
  }
  const passed: string[] = [];
  const reasons: Record<string, number> = {};
  for (let node = 0; node < nodes; node += 1) {
    const why = question.explain(node);
    if (question.passes(node) !== (why.length === 0)) {
      throw new Error(`${pod.name} on ${state.nodeAt(node).name}: passes and explain disagree`);
    }
    if (why.length === 0) passed.push(state.nodeAt(node).name);
    const words = new Set(why.map(({ schedulerReason, message }) => schedulerReason ?? message));
    for (const reason of words) reasons[reason] = (reasons[reason] ?? 0) + 1;
  }
  return { passed: passed.sort(), nodes, reasons };
};
