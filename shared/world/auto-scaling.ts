import { createLaunchActivities, type LaunchPlace } from './launch-activities.ts';
import type { Random } from './random.ts';
import type { Shortage } from './spec.ts';
import {
  elapsedMs,
  type GroupState,
  type InstanceState,
  isKept,
  type LaunchActivity,
  unitsThere,
  type WorldState,
  weightOf,
} from './state.ts';

/** Auto Scaling waits after a failed launch, longer each time. */
const firstRetryMs = 60_000;
const longestRetryMs = 600_000;

export interface AutoScaling {
  /** Launches what the group misses of its desired capacity, in its own time. */
  attend(group: GroupState): void;
  /** An instance that is there from the start. */
  place(group: GroupState): InstanceState;
}

export interface AutoScalingParts {
  readonly state: WorldState;
  readonly random: {
    readonly launch: Random;
    readonly identity: Random;
    readonly activities: Random;
  };
  /** A launched instance boots; its activity is over once it is in service. */
  readonly boot: (instance: InstanceState, nth: number, activity: LaunchActivity) => void;
}

/** Zones with the fewest instances of the group first; ties in the group's own order. */
const zonesByNeed = (group: GroupState): readonly string[] => {
  const kept = group.instances.filter(isKept);
  const count = (zone: string): number => kept.filter((one) => one.zone === zone).length;
  return group.spec.zones
    .map((zone, index) => ({ zone, index, count: count(zone) }))
    .sort((a, b) => a.count - b.count || a.index - b.index)
    .map(({ zone }) => zone);
};

/**
 * Auto Scaling groups as they behave from outside: launches take time, are spread over zones, fall to
 * the next type in the order given (`prioritized`) and then to the next zone where EC2 is short, and
 * are tried again after a failure.
 */
export const createAutoScaling = ({ state, random, boot }: AutoScalingParts): AutoScaling => {
  const { timeline } = state;
  const activities = createLaunchActivities(random.activities, timeline.nowMs);
  const left = new Map<Shortage, number>();

  const shortageOf = (group: string, zone: string, type: string): Shortage | undefined => {
    const now = elapsedMs(state);
    return state.spec.shortages.find(
      (shortage) =>
        (shortage.group ?? group) === group &&
        (shortage.zone ?? zone) === zone &&
        (shortage.instanceType ?? type) === type &&
        now >= shortage.fromMs &&
        now < (shortage.untilMs ?? Number.POSITIVE_INFINITY) &&
        (left.get(shortage) ?? shortage.launches ?? 1) > 0,
    );
  };

  /** Where EC2 has capacity for one more; what it was short of otherwise. */
  const findCapacity = (
    group: GroupState,
  ): LaunchPlace | { readonly place: LaunchPlace; readonly short: readonly Shortage[] } => {
    let place: LaunchPlace | undefined;
    const short: Shortage[] = [];
    for (const zone of zonesByNeed(group)) {
      for (const type of group.spec.instanceTypes) {
        const shortage = shortageOf(group.spec.name, zone, type);
        if (shortage === undefined) return { zone, type };
        short.push(shortage);
        place ??= { zone, type };
      }
    }
    return { place: place ?? { zone: 'unknown', type: 'unknown' }, short };
  };

  const add = (
    group: GroupState,
    { zone, type }: LaunchPlace,
    protectedFromScaleIn: boolean,
  ): InstanceState => {
    const instance: InstanceState = {
      id: `i-0${random.identity.hex(16)}`,
      group: group.spec,
      zone,
      type,
      launchedAtMs: timeline.nowMs(),
      protectedFromScaleIn,
      lifecycleState: 'Pending',
    };
    group.instances.push(instance);
    return instance;
  };

  const attempt = (group: GroupState): void => {
    let failed = 0;
    const short = new Set<Shortage>();
    for (let units = unitsThere(group); units < group.desired; ) {
      const found = findCapacity(group);
      units += weightOf(group.spec, 'short' in found ? found.place.type : found.type);
      if ('short' in found) {
        failed += 1;
        activities.fail(group, found.place);
        for (const shortage of new Set(found.short)) {
          short.add(shortage);
          if (shortage.launches !== undefined) {
            left.set(shortage, (left.get(shortage) ?? shortage.launches) - 1);
          }
        }
        continue;
      }
      const instance = add(group, found, group.spec.newInstancesProtected);
      const { id, zone, type } = instance;
      group.launched += 1;
      state.tell({
        kind: 'instanceLaunched',
        group: group.spec.name,
        instance: id,
        zone,
        instanceType: type,
      });
      boot(instance, group.launched, activities.begin(group));
    }
    if (failed === 0) {
      group.failures = 0;
      return;
    }
    const waitMs = Math.min(firstRetryMs * 2 ** group.failures, longestRetryMs);
    group.failures += 1;
    state.failedLaunches += failed;
    state.tell({
      kind: 'launchFailed',
      group: group.spec.name,
      count: failed,
      zones: group.spec.zones,
      instanceTypes: group.spec.instanceTypes,
      code: 'InsufficientInstanceCapacity',
      retryAtMs: timeline.nowMs() + waitMs,
    });
    attendAfter(group, waitMs);
  };

  const attendAfter = (group: GroupState, waitMs: number): void => {
    if (group.spec.suspendedProcesses.includes('Launch')) return;
    group.attempt += 1;
    const { attempt: mine } = group;
    timeline.at(timeline.nowMs() + waitMs, () => {
      // A later change of desired capacity has taken this attempt's place.
      if (group.attempt === mine) attempt(group);
    });
  };

  return {
    attend: (group) => {
      if (group.desired <= unitsThere(group)) return;
      attendAfter(group, random.launch.between(group.spec.launch.fromMs, group.spec.launch.toMs));
    },
    place: (group) => {
      const [zone = 'unknown'] = zonesByNeed(group);
      const [type = 'unknown'] = group.spec.instanceTypes;
      const instance = add(group, { zone, type }, group.spec.runningProtected);
      instance.lifecycleState = 'InService';
      return instance;
    },
  };
};
