import { instanceTypes } from './instance-types.ts';
import type { WorldState } from './state.ts';

/** What a run came to. Pods of DaemonSets are not counted. */
export interface WorldFigures {
  readonly pods: {
    readonly total: number;
    /** Got to Running. */
    readonly placed: number;
    /** Never did. */
    readonly lost: number;
  };
  /** From creation to Running, in milliseconds, ascending. */
  readonly toRunningMs: readonly number[];
  readonly nodes: {
    /** Became Ready after the start. */
    readonly added: number;
    /** Gone with their instances. */
    readonly removed: number;
    /** Launches that EC2 refused (each attempt counts) and instances that never became a Node of use. */
    readonly failed: number;
    readonly ready: number;
  };
  /** All instances from launch (or the start) until now; by the hour as it stands now. */
  readonly microDollars: number;
  readonly microDollarsPerHour: number;
}

const msPerHour = 3_600_000;

export const figuresOf = (state: WorldState, addedNodes: number): WorldFigures => {
  const toRunningMs: number[] = [];
  let total = 0;
  for (const { view, workload, runningAtMs } of state.pods.values()) {
    if (workload === undefined) continue;
    total += 1;
    if (runningAtMs !== undefined)
      toRunningMs.push(runningAtMs - (view.createdAtMs ?? runningAtMs));
  }
  let microDollars = 0;
  let microDollarsPerHour = 0;
  const nowMs = state.timeline.nowMs();
  for (const instance of [...state.groups.values()].flatMap((group) => [
    ...group.instances,
    ...group.gone,
  ])) {
    const rate = instanceTypes.get(instance.type)?.microDollarsPerHour ?? 0;
    const untilMs = instance.endedAtMs ?? nowMs;
    if (instance.endedAtMs === undefined) microDollarsPerHour += rate;
    microDollars += Math.round((rate * (untilMs - instance.launchedAtMs)) / msPerHour);
  }
  return {
    pods: { total, placed: toRunningMs.length, lost: total - toRunningMs.length },
    toRunningMs: toRunningMs.sort((a, b) => a - b),
    nodes: {
      added: addedNodes,
      removed: state.removedNodes,
      failed: state.failedLaunches + state.uselessInstances,
      ready: [...state.nodes.values()].filter(({ ready }) => ready === 'True').length,
    },
    microDollars,
    microDollarsPerHour,
  };
};
