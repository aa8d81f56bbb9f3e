import { counted } from '#cluster/counted.ts';
import { compareText } from '#cluster/order.ts';
import { type ClusterSnapshot, type PodView, podKey } from '#cluster/snapshot.ts';
import { type Preemption, preemptionFor } from '#scheduling/preemption/preemption.ts';
import { inQueueOrder } from '#scheduling/replay/queue-order.ts';
import { type Scheduler, scheduler } from '#scheduling/replay/replay.ts';
import {
  type FitQuestion,
  type SchedulingState,
  schedulingState,
} from '#scheduling/state/scheduling-state.ts';
import type { Trials } from '#scheduling/trials.ts';
import { isDaemonSetPod } from './candidates.ts';
import type { IgnoredPod } from './decision.ts';
import type { Occupancy } from './occupancy.ts';
import { defaultPreemptionLimitSeconds, type ScalingPolicy } from './policy.ts';

export interface PreemptionInput {
  /** Pending pods that the scheduler found no place for, in any order. */
  readonly pods: readonly PodView[];
  readonly snapshot: ClusterSnapshot;
  readonly occupancy: Occupancy;
  readonly policy: Pick<ScalingPolicy, 'priorityCutoff' | 'preemptionLimitSeconds'>;
  readonly nowMs: number;
  readonly trials: Trials;
}

export interface ExpectedPreemptions {
  /** Who takes room where once all is done that is expected. */
  readonly occupancy: Occupancy;
  /** Pods that preempt nobody, and then the victims that will want a place elsewhere. */
  readonly pods: readonly PodView[];
  /** Victims among these pods: they run still. */
  readonly victims: ReadonlySet<string>;
  readonly ignored: readonly IgnoredPod[];
}

const priorityOf = ({ priority = 0 }: PodView): number => priority;

/**
 * Pods that kube-scheduler is expected to make room for by preemption: no node is added for them, but for
 * those that they drive out. Only so long after a pod was first found unschedulable: one that has not
 * preempted by then will not.
 */
export function expectPreemptions(input: PreemptionInput): ExpectedPreemptions {
  const { pods, occupancy, nowMs, policy } = input;
  const limitSeconds = policy.preemptionLimitSeconds ?? defaultPreemptionLimitSeconds;
  const lowest = lowestPriority(occupancy);
  const mayPreempt = (pod: PodView): boolean =>
    priorityOf(pod) > lowest && !pod.neverPreempts && isFresh(pod, nowMs, limitSeconds);
  if (!pods.some(mayPreempt)) return { occupancy, pods, victims: new Set(), ignored: [] };
  return play(input, { mayPreempt, limitSeconds });
}

const isFresh = ({ scheduled }: PodView, nowMs: number, limitSeconds: number): boolean =>
  scheduled?.sinceMs !== undefined && nowMs - scheduled.sinceMs < limitSeconds * 1000;

function lowestPriority(occupancy: Occupancy): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (const pods of occupancy.values()) {
    for (const pod of pods) lowest = Math.min(lowest, priorityOf(pod));
  }
  return lowest;
}

interface Rules {
  readonly mayPreempt: (pod: PodView) => boolean;
  readonly limitSeconds: number;
}

/** The cluster as the scheduler's queue goes through it: who finds room takes it, who may preempts. */
function play(input: PreemptionInput, { mayPreempt, limitSeconds }: Rules): ExpectedPreemptions {
  const { snapshot, occupancy, policy, trials } = input;
  const views = snapshot.nodes.toSorted((a, b) => compareText(a.name, b.name));
  const state = schedulingState(
    { namespaces: snapshot.namespaces ?? [], storage: snapshot },
    views.map((template) => ({ template, pods: occupancy.get(template.name) ?? [] })),
  );
  const nodes = [...views.keys()].filter((node) => views[node]?.ready === 'True');
  const binds = scheduler(state, { nodes, ties: 'lowest', trials });
  const budgets = snapshot.disruptionBudgets ?? [];
  const helpless = new Set<FitQuestion>();
  const found = new Map<PodView, Preemption>();
  for (const pod of input.pods.toSorted(inQueueOrder)) {
    if (findsRoom(binds, pod) || !mayPreempt(pod)) continue;
    const question = state.questionOf(pod);
    if (helpless.has(question)) continue;
    const preemption = preemptionFor(pod, { state, nodes, budgets, trials });
    if (preemption === undefined) helpless.add(question);
    else {
      carryOut(state, pod, preemption);
      found.set(pod, preemption);
    }
  }
  const gone = new Set([...found.values()].flatMap(({ victims }) => victims));
  const victims = [...gone]
    .map((pod) => pod as PodView)
    .filter((pod) => wantsAPlace(pod, policy.priorityCutoff));
  return {
    occupancy: occupancyAfter(input, { found, gone }),
    pods: [...input.pods.filter((pod) => !found.has(pod)), ...victims.map(asPending)],
    victims: new Set(victims.map(podKey)),
    ignored: [...found].map(([pod, preemption]) => ({
      pod: podKey(pod),
      code: 'willPreempt',
      message: `it is expected to take the place of ${victimsText(preemption)} on ${views[preemption.node]?.name}: no node is added for it within ${limitSeconds} s (scaling.preemptionLimit), but for those that it drives out`,
    })),
  };
}

const findsRoom = (binds: Scheduler, pod: PodView): boolean => binds.run([pod]).bound.length > 0;

function carryOut(state: SchedulingState, pod: PodView, { node, victims }: Preemption): void {
  for (const victim of victims) state.remove(victim, node);
  state.place(pod, node);
}

function victimsText({ victims }: Preemption): string {
  const [first] = victims;
  if (first === undefined || victims.length > 1) {
    return counted(victims.length, 'pod of lower priority', 'pods of lower priority');
  }
  return `${podKey(first)}, of lower priority,`;
}

/** Its controller makes a new one, which runs wherever there is room; the others are gone for good. */
const wantsAPlace = (pod: PodView, priorityCutoff: number): boolean =>
  pod.owner !== undefined &&
  pod.owner.kind !== 'Node' &&
  !isDaemonSetPod(pod) &&
  (pod.priority === undefined || pod.priority >= priorityCutoff);

/** The pod that will be made in place of this one. */
const asPending = ({ nodeName: _, nominatedNodeName: __, ...pod }: PodView): PodView => ({
  ...pod,
  phase: 'Pending',
});

function occupancyAfter(
  { occupancy, snapshot }: PreemptionInput,
  {
    found,
    gone,
  }: { readonly found: ReadonlyMap<PodView, Preemption>; readonly gone: ReadonlySet<unknown> },
): Occupancy {
  const after = new Map(occupancy);
  const names = snapshot.nodes.map(({ name }) => name).sort(compareText);
  for (const [pod, { node }] of found) {
    const name = names[node] ?? '';
    const stay = (after.get(name) ?? []).filter((one) => !gone.has(one));
    after.set(name, [...stay, pod]);
  }
  return after;
}
