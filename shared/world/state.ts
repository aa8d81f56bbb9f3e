import type { NodeView, PodView } from '#cluster/snapshot.ts';
import type { ScalingActivity } from '#scaling/aws-views.ts';
import type { Happening } from './happening.ts';
import type { WorldGroup, WorldSpec } from './spec.ts';
import type { Timeline } from './timeline.ts';

/*
 * The world's mutable heart, shared by its parts: Auto Scaling changes groups, kubelets change nodes,
 * the scheduler changes pods. Nobody outside this room sees it.
 */

export interface InstanceState {
  readonly id: string;
  readonly group: WorldGroup;
  readonly zone: string;
  readonly type: string;
  readonly launchedAtMs: number;
  readonly protectedFromScaleIn: boolean;
  lifecycleState: 'Pending' | 'InService' | 'Terminating';
  nodeName?: string;
  /** When it stopped costing anything. */
  endedAtMs?: number;
}

/** Whether Auto Scaling counts it towards the desired capacity. */
export const isKept = ({ lifecycleState }: InstanceState): boolean =>
  lifecycleState !== 'Terminating';

/** How much of its group's desired capacity an instance of the type is. */
export const weightOf = ({ weights }: WorldGroup, type: string): number => weights?.[type] ?? 1;

/** Of the desired capacity, what Auto Scaling counts as there. */
export const unitsThere = ({ spec, instances }: Pick<GroupState, 'spec' | 'instances'>): number =>
  instances.filter(isKept).reduce((sum, { type }) => sum + weightOf(spec, type), 0);

export interface GroupState {
  readonly spec: WorldGroup;
  desired: number;
  readonly instances: InstanceState[];
  /** Those that are there no more. */
  readonly gone: InstanceState[];
  /** Oldest first. */
  readonly activities: LaunchActivity[];
  launched: number;
  /** Failed attempts one after another; decides how long Auto Scaling waits. */
  failures: number;
  /** Numbers the attempts to reach the desired capacity; only the newest counts. */
  attempt: number;
}

export interface LaunchActivity extends Omit<ScalingActivity, 'status'> {
  status: ScalingActivity['status'];
}

export interface PodState {
  view: PodView;
  /** Pods of one class are alike to the scheduler. */
  readonly podClass: string;
  readonly workload?: string;
  readonly start: { readonly fromMs: number; readonly toMs: number };
  readonly runsFor?: { readonly fromMs: number; readonly toMs: number };
  runningAtMs?: number;
}

export interface WorldState {
  readonly spec: WorldSpec;
  readonly timeline: Timeline;
  readonly groups: Map<string, GroupState>;
  readonly nodes: Map<string, NodeView>;
  /** By `namespace/name`. */
  readonly pods: Map<string, PodState>;
  /** Bound and not finished, by node name. */
  readonly podsOn: Map<string, Set<PodState>>;
  /** Not bound yet. */
  readonly waiting: Set<PodState>;
  failedLaunches: number;
  /** Instances that run, or ran, without ever becoming a Node of use. */
  uselessInstances: number;
  removedNodes: number;
  tell(happening: DistributiveOmit<Happening, 'atMs'>): void;
}

export type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** Milliseconds from the start of the scenario. */
export const elapsedMs = (state: WorldState): number => state.timeline.nowMs() - state.spec.startMs;
