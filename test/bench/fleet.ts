import { apiCallsOfFleet, cacheFills, type FleetActivity } from './fleet/api-calls-of-fleet.ts';
import type { ApiCounts } from './fleet/api-meter.ts';
import type { Api } from './fleet/api-quotas.ts';
import { type FleetCluster, fleetClusters } from './fleet/fleet-clusters.ts';
import { fleetStartMs } from './fleet/fleet-time.ts';
import { type FleetRun, playFleet } from './fleet/play-fleet.ts';
import { median } from './median.ts';
import { type Timed, timed, timesOf } from './timed.ts';
import type { Figures, Workload, WorkloadOptions } from './workload.ts';

const runs = 5;
const defaultClusters = 100;
/** Processes that take the looks in turn: each has to learn what it keeps. */
const processes = 10;
const seed = 1;

/** An hour of these clusters, as the arithmetic has it. */
export const activityOf = (clusters: readonly FleetCluster[]): FleetActivity => {
  const count = (kind: FleetCluster['kind'], relay: boolean): number =>
    clusters.filter((cluster) => cluster.kind === kind && cluster.relay === relay).length;
  return {
    clusters: clusters.length,
    minutes: 60,
    groupsPerCluster: 3,
    movingTemplatesPerCluster: 1,
    episodes: {
      raise: count('busy', true),
      raiseSwept: count('busy', false),
      failover: count('failing', true),
      failoverSwept: count('failing', false),
    },
  };
};

/** What filling the caches of so many processes may add to it. */
export const fillsOf = (clusters: readonly FleetCluster[], count: number): ApiCounts =>
  cacheFills({
    processes: count,
    minutes: 60,
    clusters: clusters.length,
    numberedTemplatesPerCluster: 2,
    otherAccounts: new Set(clusters.map(({ account }) => account)).size - 1,
    kindsOfTypes: 1,
  });

const atPercent = (ascending: readonly number[], percent: number): number | undefined => {
  const rank = Math.ceil((ascending.length * percent) / 100) - 1;
  const ms = ascending[Math.max(0, rank)];
  return ms === undefined ? undefined : ms / 1000;
};

const figuresOf = (clusters: readonly FleetCluster[], run: FleetRun) => {
  const { warmUp, hour, toRaiseMs, ...counts } = run;
  return {
    size: clusters.length,
    processes,
    calls: hour.calls,
    callsByArithmetic: apiCallsOfFleet(activityOf(clusters)),
    cacheFillsAtMost: fillsOf(clusters, processes),
    throttled: hour.throttled,
    fewestTokens: hour.fewestTokens,
    warmUpThrottled: warmUp.throttled,
    quietAfterSeconds:
      warmUp.lastThrottledMs === undefined ? 0 : (warmUp.lastThrottledMs - fleetStartMs) / 1000,
    ...counts,
    secondsToRaise: {
      byHint: { p50: atPercent(toRaiseMs.hinted, 50), p99: atPercent(toRaiseMs.hinted, 99) },
      bySweep: { p50: atPercent(toRaiseMs.swept, 50), p99: atPercent(toRaiseMs.swept, 99) },
    },
  };
};

const run = async (options: WorkloadOptions): Promise<Figures> => {
  const clusters = fleetClusters(options.size ?? defaultClusters);
  const plays: Omit<Timed<unknown>, 'value'>[] = [];
  const outcomes = new Set<string>();
  let figures: ReturnType<typeof figuresOf> | undefined;
  for (let index = 0; index < runs; index += 1) {
    const { value, ...times } = await timed(() => playFleet({ clusters, seed, processes }));
    plays.push(times);
    figures = figuresOf(clusters, value);
    outcomes.add(JSON.stringify(figures));
  }
  if (outcomes.size > 1) throw new Error('the same fleet went in several ways');
  return {
    ...figures,
    ...timesOf(plays),
    peakMemoryMiB: Number((process.resourceUsage().maxRSS / 1024).toFixed(1)),
    medianLookMilliseconds: Number(
      (
        (median(plays.map(({ cpuSeconds }) => cpuSeconds)) * 1000) /
        Math.max(1, figures?.looks ?? 1)
      ).toFixed(3),
    ),
    runs,
    node: process.version,
  };
};

const table = (figures: Figures): readonly string[] => {
  const { calls, callsByArithmetic, cacheFillsAtMost } = figures as unknown as {
    readonly calls: ApiCounts;
    readonly callsByArithmetic: ApiCounts;
    readonly cacheFillsAtMost: ApiCounts;
  };
  return (Object.keys(calls) as Api[]).sort().map((api) => {
    const count = calls[api] ?? 0;
    const each = (count / Number(figures.size)).toFixed(2);
    const fills = cacheFillsAtMost[api];
    const worked = `${callsByArithmetic[api] ?? 0}${fills === undefined ? '' : ` and at most ${fills} to fill caches`}`;
    return `${api.padEnd(38)} ${String(count).padStart(8)}  ${each.padStart(8)}  ${worked}`;
  });
};

export const fleet: Workload = {
  name: 'fleet',
  about:
    'an hour of many clusters in one simulated account: calls by API, throttles, time to a raise',
  options: [`--size N     clusters (${defaultClusters})`],
  run,
  render: (figures) => [
    `${figures.size} clusters for an hour: ${figures.looks} looks, of which ${figures.askingLooks} asked AWS of groups; ${figures.raises} raises`,
    `${'calls'.padEnd(38)}   counted  a cluster  by arithmetic`,
    ...table(figures),
    `throttled in that hour: ${JSON.stringify(figures.throttled)}; in the ten minutes before it: ${JSON.stringify(figures.warmUpThrottled)}, the last after ${figures.quietAfterSeconds} s`,
    `fewest tokens left: ${JSON.stringify(figures.fewestTokens)}`,
    `seconds from Pending to raise: ${JSON.stringify(figures.secondsToRaise)}`,
    `${figures.wallSeconds} s wall, ${figures.cpuSeconds} s CPU (medians of ${figures.runs} runs); peak memory ${figures.peakMemoryMiB} MiB`,
  ],
};
