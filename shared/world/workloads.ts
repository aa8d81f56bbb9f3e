import type { NodeView, PodView } from '#cluster/snapshot.ts';
import { podKey } from '#cluster/snapshot.ts';
import type { WorldWorkload } from './spec.ts';
import type { PodState, WorldState } from './state.ts';

const daemonStart = { fromMs: 1_000, toMs: 1_000 };

const addPod = (state: WorldState, pod: PodState): void => {
  state.pods.set(podKey(pod.view), pod);
  state.waiting.add(pod);
};

const workloadPod = (state: WorldState, workload: WorldWorkload, nth: number): PodState => {
  const { namespace, name, constraints } = workload;
  const view: PodView = {
    ...constraints,
    namespace,
    name: `${name}-${nth}`,
    uid: `pod-${namespace}-${name}-${nth}`,
    labels: { app: name },
    annotations: {},
    createdAtMs: state.timeline.nowMs(),
    owner: { kind: workload.kind, name, uid: `owner-${namespace}-${name}` },
    schedulerName: 'default-scheduler',
    priority: workload.priority,
    phase: 'Pending',
    gated: false,
  };
  return {
    view,
    podClass: `${namespace}/${name}`,
    workload: `${namespace}/${name}`,
    start: workload.start,
    ...(workload.runsFor === undefined ? {} : { runsFor: workload.runsFor }),
  };
};

/** Puts the making of every pod on the timeline; pods made at one moment are told together. */
export const scheduleWorkloads = (state: WorldState, onCreated: () => void): void => {
  for (const workload of state.spec.workloads) {
    const make = (from: number, count: number): void => {
      const pods: string[] = [];
      for (let nth = from; nth < from + count; nth += 1) {
        const pod = workloadPod(state, workload, nth);
        addPod(state, pod);
        pods.push(podKey(pod.view));
      }
      state.tell({ kind: 'podsCreated', workload: `${workload.namespace}/${workload.name}`, pods });
      onCreated();
    };
    const firstAtMs = state.spec.startMs + workload.atMs;
    if (workload.everyMs === 0) {
      state.timeline.at(firstAtMs, () => make(1, workload.replicas));
      continue;
    }
    for (let nth = 1; nth <= workload.replicas; nth += 1) {
      state.timeline.at(firstAtMs + (nth - 1) * workload.everyMs, () => make(nth, 1));
    }
  }
};

/**
 * Takes a pod away whose node is gone. Its controller makes another under the next number; a DaemonSet
 * makes none.
 */
export const replacePod = (state: WorldState, pod: PodState): void => {
  state.pods.delete(podKey(pod.view));
  const workload = state.spec.workloads.find(
    ({ namespace, name }) => `${namespace}/${name}` === pod.workload,
  );
  if (workload === undefined) return;
  let nth = workload.replicas + 1;
  while (state.pods.has(`${workload.namespace}/${workload.name}-${nth}`)) nth += 1;
  addPod(state, workloadPod(state, workload, nth));
};

/**
 * The DaemonSet controller's pods for a Node that became Ready, each pinned to it by name as the
 * controller does. They outrank everything, so that they are bound first; whether a DaemonSet wants the
 * Node is judged by `wants`.
 */
export const addDaemonPods = (
  state: WorldState,
  node: NodeView,
  wants: (node: NodeView, pod: PodView) => boolean,
): void => {
  for (const { namespace, name, constraints } of state.spec.daemonSets) {
    const terms = constraints.requiredNodeAffinity ?? [{ matchExpressions: [], matchFields: [] }];
    const byName = { key: 'metadata.name', operator: 'In', values: [node.name] } as const;
    const view: PodView = {
      ...constraints,
      requiredNodeAffinity: terms.map((term) => ({
        ...term,
        matchFields: [...term.matchFields, byName],
      })),
      namespace,
      name: `${name}-${node.name}`,
      uid: `pod-${namespace}-${name}-${node.name}`,
      labels: { app: name },
      annotations: {},
      createdAtMs: state.timeline.nowMs(),
      owner: { kind: 'DaemonSet', name, uid: `daemonset-${namespace}-${name}` },
      schedulerName: 'default-scheduler',
      priority: 2_000_001_000,
      phase: 'Pending',
      gated: false,
    };
    if (wants(node, view)) addPod(state, { view, podClass: view.uid, start: daemonStart });
  }
};
