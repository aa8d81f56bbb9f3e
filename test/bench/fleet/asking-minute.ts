import { defaultScalingPolicy } from '#scaling/policy.ts';
import { isQuiet } from '#scaling/what-to-ask.ts';
import { fleetStartMs, minuteMs } from './fleet-time.ts';

const emptyCluster = { nodes: [], pods: [], daemonSets: [], leases: [] };

/** In which minute, counted modulo five, a sweep asks AWS although the cluster is quiet: as the product says. */
export const askingMinute = (cluster: string): number =>
  [0, 1, 2, 3, 4].find(
    (minute) =>
      !isQuiet({
        cluster,
        snapshot: emptyCluster,
        ledger: [],
        policy: defaultScalingPolicy,
        nowMs: fleetStartMs + minute * minuteMs,
      }),
  ) ?? 0;
