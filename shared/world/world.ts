import type { ClusterSnapshot } from '#cluster/snapshot.ts';
import type {
  AutoScalingGroup,
  ForeignInstance,
  NodeGroupsView,
  ScalingActivity,
} from '#scaling/aws-views.ts';
import { createApiMeter, staleRead } from './api.ts';
import { createAutoScaling } from './auto-scaling.ts';
import { figuresOf, type WorldFigures } from './figures.ts';
import type { Happening } from './happening.ts';
import { newestLaunches } from './launch-activities.ts';
import { createNodes } from './nodes.ts';
import type { PodNote } from './pod-note.ts';
import { createRandom } from './random.ts';
import { createScheduler } from './scheduler.ts';
import type { ApiCall, WorldSpec } from './spec.ts';
import { type GroupState, unitsThere, type WorldState } from './state.ts';
import { createTerminations } from './terminations.ts';
import { createTimeline } from './timeline.ts';
import { viewCluster, viewGroup, viewGroups } from './views.ts';
import { addDaemonPods, scheduleWorkloads } from './workloads.ts';

/**
 * A simulated account and cluster. Deterministic: the same specification and the same calls give the
 * same happenings, byte for byte.
 */
export interface World {
  readonly spec: WorldSpec;
  /** Milliseconds since the epoch. */
  nowMs(): number;
  /** When something happens next by itself. */
  nextAtMs(): number | undefined;
  /** Lets the time pass, and everything in it happen. */
  advanceTo(atMs: number): void;
  /** What happened since it was last asked, in order. */
  takeHappenings(): readonly Happening[];
  /** Counts a call to an API; false where it is throttled. */
  admit(call: ApiCall): boolean;
  apiCalls(): Readonly<Record<ApiCall, number>>;
  /** As listed by the API server, which may be behind by `lag.clusterStaleMs`. */
  cluster(): ClusterSnapshot;
  /** As described by AWS, which may be behind by `lag.groupsStaleMs`. */
  groups(): NodeGroupsView;
  /** One group, never behind. */
  group(name: string): AutoScalingGroup | undefined;
  /** The newest launches of a group, newest first; never behind. */
  launches(group: string): readonly ScalingActivity[];
  /** Those of the instances that another cluster's group has. */
  foreign(instances: readonly string[]): readonly ForeignInstance[];
  /**
   * Lowered, it voids the launches that are still to come, and terminates what is beyond it and not
   * protected from scale-in. Says why not where AWS would refuse it.
   */
  setDesiredCapacity(group: string, desired: number): 'done' | 'noSuchGroup' | 'outOfBounds';
  /** An Event on a pod; the same word again is no news. False where the pod is gone. */
  postPodNote(note: PodNote): boolean;
  podNotes(): readonly PodNote[];
  figures(): WorldFigures;
}

/** Throws on an instance type that `instance-types.ts` does not have: check the specification first. */
export const createWorld = (spec: WorldSpec): World => {
  const timeline = createTimeline(spec.startMs);
  const meter = createApiMeter(spec, timeline.nowMs);
  const notes = new Map<string, PodNote>();
  let happenings: Happening[] = [];
  let addedNodes = 0;
  const state: WorldState = {
    spec,
    timeline,
    groups: new Map(),
    nodes: new Map(),
    pods: new Map(),
    podsOn: new Map(),
    waiting: new Set(),
    failedLaunches: 0,
    uselessInstances: 0,
    removedNodes: 0,
    tell: (happening) => {
      if (happening.kind === 'nodeReady') addedNodes += 1;
      happenings.push({ ...happening, atMs: timeline.nowMs() });
    },
  };
  const random = (stream: string) => createRandom(spec.seed, stream);
  const scheduler = createScheduler(state, random('pods'));
  const nodes = createNodes({
    state,
    random,
    onCrash: (instance) => {
      const group = state.groups.get(instance.group.name);
      if (group === undefined) return;
      terminations.end(group, instance, 'crash');
      autoScaling.attend(group);
    },
    onCapacity: scheduler.attend,
    onReady: (node) => {
      addDaemonPods(state, node, scheduler.wouldHost);
      scheduler.attend();
    },
  });
  const autoScaling = createAutoScaling({
    state,
    random: {
      launch: random('launch'),
      identity: random('identity'),
      activities: random('activities'),
    },
    boot: nodes.boot,
  });
  const terminations = createTerminations(state, scheduler.attend);
  for (const group of spec.groups) {
    const groupState: GroupState = {
      spec: group,
      desired: group.desired,
      instances: [],
      gone: [],
      activities: [],
      launched: 0,
      failures: 0,
      attempt: 0,
    };
    state.groups.set(group.name, groupState);
    while (unitsThere(groupState) < group.desired) nodes.settle(autoScaling.place(groupState));
  }
  for (const foreign of spec.foreignNodes ?? []) nodes.intrude(foreign);
  scheduleWorkloads(state, scheduler.attend);

  return {
    spec,
    nowMs: timeline.nowMs,
    nextAtMs: timeline.nextAtMs,
    advanceTo: timeline.advanceTo,
    takeHappenings: () => {
      const taken = happenings;
      happenings = [];
      return taken;
    },
    admit: meter.admit,
    apiCalls: meter.counts,
    cluster: staleRead(() => viewCluster(state), spec.lag.clusterStaleMs, timeline.nowMs),
    groups: staleRead(() => viewGroups(state), spec.lag.groupsStaleMs, timeline.nowMs),
    group: (name) => {
      const group = state.groups.get(name);
      return group === undefined ? undefined : viewGroup(spec.cluster, group);
    },
    launches: (name) => {
      const group = state.groups.get(name);
      return group === undefined ? [] : newestLaunches(group);
    },
    foreign: (instances) =>
      (spec.foreignNodes ?? [])
        .filter(({ instance }) => instances.includes(instance))
        .map(({ instance: id, group, cluster }) => ({ id, group, cluster })),
    setDesiredCapacity: (name, desired) => {
      const group = state.groups.get(name);
      if (group === undefined) return 'noSuchGroup';
      const whole = Number.isSafeInteger(desired);
      if (!whole || desired < group.spec.min || desired > group.spec.max) return 'outOfBounds';
      if (desired === group.desired) return 'done';
      state.tell({ kind: 'desiredChanged', group: name, from: group.desired, to: desired });
      group.desired = desired;
      terminations.scaleIn(group);
      autoScaling.attend(group);
      return 'done';
    },
    postPodNote: (note) => {
      const pod = state.pods.get(`${note.namespace}/${note.pod}`);
      if (pod === undefined || pod.view.uid !== note.podUid) return false;
      const key = JSON.stringify([note.podUid, note.reason, note.message]);
      if (notes.has(key)) return true;
      notes.set(key, note);
      state.tell({ kind: 'podTold', ...note });
      return true;
    },
    podNotes: () => [...notes.values()],
    figures: () => figuresOf(state, addedNodes),
  };
};
