import type { Happening } from '#world/happening.ts';
import { createWorld, type World } from '#world/world.ts';
import type { ApiMeter } from './api-meter.ts';
import { type ClusterPorts, clusterPorts } from './cluster-of-fleet.ts';
import { type FleetCluster, worldOf } from './fleet-clusters.ts';

/** As relay and rules do: a hint so long after a pod is Pending, or a launch has failed. */
const pendingHintAfterMs = 200;
const failedHintAfterMs = 1_000;

export interface Hint {
  readonly trigger: 'pod-pending' | 'launch-failed';
  readonly afterMs: number;
}

/** One cluster of the fleet, with what happens in it by itself. */
export interface FleetMember {
  readonly cluster: FleetCluster;
  readonly world: World;
  readonly ports: ClusterPorts;
  /** Lets it happen up to now; the hints that come of it. */
  follow(nowMs: number): readonly Hint[];
  /** From Pending to the raise, where there were both. */
  toRaiseMs(): number | undefined;
}

export const fleetMember = (cluster: FleetCluster, seed: number, meter: ApiMeter): FleetMember => {
  const world = createWorld(worldOf(cluster, seed));
  let pendingMs: number | undefined;
  let raisedMs: number | undefined;
  const hintsOf = ({ kind, atMs }: Happening): readonly Hint[] => {
    switch (kind) {
      case 'podsUnschedulable':
        pendingMs ??= atMs;
        return cluster.relay ? [{ trigger: 'pod-pending', afterMs: pendingHintAfterMs }] : [];
      case 'desiredChanged':
        raisedMs ??= atMs;
        return [];
      case 'launchFailed':
        return [{ trigger: 'launch-failed', afterMs: failedHintAfterMs }];
      default:
        return [];
    }
  };
  return {
    cluster,
    world,
    ports: clusterPorts(world, meter),
    follow: (nowMs) => {
      world.advanceTo(nowMs);
      return world.takeHappenings().flatMap(hintsOf);
    },
    toRaiseMs: () =>
      pendingMs === undefined || raisedMs === undefined ? undefined : raisedMs - pendingMs,
  };
};
