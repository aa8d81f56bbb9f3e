import type { ClusterSnapshot, PodView } from '#cluster/snapshot.ts';
import { occupancyOf } from '#scaling/occupancy.ts';
import type { FitReason } from '#scheduling/filters/filter.ts';
import { type SchedulingState, schedulingState } from '#scheduling/state/scheduling-state.ts';
import type { Verdict } from './verdict.ts';

/** Answers for one cluster; pods that are asked about are not part of it. */
export type Engine = (
  snapshot: ClusterSnapshot,
  there: readonly PodView[],
) => (pod: PodView) => Verdict;

/** The product's own. */
export const engineFor: Engine = (snapshot, there) => {
  const occupancy = occupancyOf(
    snapshot.nodes,
    there.filter(({ nodeName }) => nodeName !== undefined),
  );
  const state = schedulingState(
    { namespaces: snapshot.namespaces ?? [], storage: snapshot },
    snapshot.nodes.map((template) => ({ template, pods: occupancy.get(template.name) ?? [] })),
  );
  const nominated = Map.groupBy(
    there.filter(
      ({ nodeName, nominatedNodeName }) =>
        nodeName === undefined && nominatedNodeName !== undefined,
    ),
    ({ nominatedNodeName }) => nominatedNodeName,
  );
  state.learn(there);
  return (pod) => verdictIn(state, pod, nominated);
};

type Nominated = ReadonlyMap<string | undefined, readonly PodView[]>;

const verdictIn = (state: SchedulingState, pod: PodView, nominated: Nominated): Verdict => {
  const nodes = state.nodeCount;
  const { rejected } = state.questionOf(pod);
  if (rejected !== undefined) {
    return { passed: [], nodes, reasons: {}, rejected: wordsOf(rejected) };
  }
  const seen = nominated.size === 0 || minds(state, pod) ? same : withoutAntiAffinity;
  const passed: string[] = [];
  const reasons: Record<string, number> = {};
  for (let node = 0; node < nodes; node += 1) {
    const { name } = state.nodeAt(node);
    const beside = (nominated.get(name) ?? []).filter((other) => yieldsTo(pod, other)).map(seen);
    const why = [...new Set(reasonsBeside(state, pod, { node, beside }).map(wordsOf))];
    if (why.length === 0) passed.push(name);
    for (const reason of why) reasons[reason] = (reasons[reason] ?? 0) + 1;
  }
  return { passed: passed.sort(), nodes, reasons };
};

const same = (pod: PodView): PodView => pod;

const withoutAntiAffinity = (pod: PodView): PodView => {
  const { podAntiAffinity: _, ...others } = pod;
  return others;
};

/**
 * Whether the scheduler looks at affinity at all: it settles that before nominated pods are added, by the pod's own
 * terms and those of pods on nodes; if neither matter, it does not see the anti-affinity of nominated ones.
 */
const minds = (state: SchedulingState, pod: PodView): boolean => {
  const { podAffinity, podAntiAffinity } = pod;
  if ([podAffinity, podAntiAffinity].some((one) => (one?.required.length ?? 0) > 0)) return true;
  const question = state.questionOf(pod);
  return Array.from({ length: state.nodeCount }, (_, node) => node).some((node) =>
    question.explainAll(node).some(({ code }) => code === 'existingAntiAffinity'),
  );
};

const wordsOf = ({ schedulerReason, message }: FitReason): string => schedulerReason ?? message;

const yieldsTo = (pod: PodView, other: PodView): boolean =>
  (other.priority ?? 0) >= (pod.priority ?? 0);

/** As kube-scheduler tries a node with nominated pods: with them first, then without. */
const reasonsBeside = (
  state: SchedulingState,
  pod: PodView,
  { node, beside }: { readonly node: number; readonly beside: readonly PodView[] },
): readonly FitReason[] => {
  for (const other of beside) state.place(other, node);
  const withThem = reasonsOn(state, pod, node);
  for (const other of beside) state.remove(other, node);
  return withThem.length > 0 || beside.length === 0 ? withThem : reasonsOn(state, pod, node);
};

const reasonsOn = (state: SchedulingState, pod: PodView, node: number): readonly FitReason[] => {
  const question = state.questionOf(pod);
  const why = question.explain(node);
  if (question.passes(node) !== (why.length === 0)) {
    throw new Error(`${pod.name} on ${state.nodeAt(node).name}: passes and explain disagree`);
  }
  return why;
};
