import type { ApiCall } from '#world/spec.ts';
import type { World } from '#world/world.ts';

/** What a scenario came to; `simulate --json` prints it. Money in dollars, time in seconds. */
export interface ScenarioSummary {
  readonly seed: number;
  readonly pods: {
    readonly total: number;
    /** Got to Running, in time or late. */
    readonly placed: number;
    /** Of those placed: later than the scenario allows. */
    readonly late: number;
    /** Never ran. */
    readonly lost: number;
  };
  readonly nodes: {
    readonly added: number;
    readonly removed: number;
    /** Launches refused by EC2, each attempt, and instances that never became a Node. */
    readonly failed: number;
    readonly ready: number;
  };
  /** Of all instances over the scenario, at on-demand prices. */
  readonly cost: number;
  /** Of the instances there at the end. */
  readonly costPerHour: number;
  readonly apiCalls: number;
  readonly apiCallsByKind: Readonly<Record<ApiCall, number>>;
  /** From creation to Running; absent where no pod ran. */
  readonly secondsToRunning: { readonly p50?: number; readonly p99?: number };
  readonly looks: number;
  readonly simulatedSeconds: number;
}

/** Nearest rank: the smallest value that so many in a hundred do not exceed. */
export const percentile = (ascending: readonly number[], percent: number): number | undefined =>
  ascending[Math.max(0, Math.ceil((ascending.length * percent) / 100) - 1)];

const rounded = (value: number, decimals: number): number =>
  Math.round(value * 10 ** decimals) / 10 ** decimals;

export const summaryOf = (world: World, lateAfterMs: number, looks: number): ScenarioSummary => {
  const { pods, nodes, toRunningMs, microDollars, microDollarsPerHour } = world.figures();
  const apiCallsByKind = world.apiCalls();
  const p50 = percentile(toRunningMs, 50);
  const p99 = percentile(toRunningMs, 99);
  return {
    seed: world.spec.seed,
    pods: { ...pods, late: toRunningMs.filter((ms) => ms > lateAfterMs).length },
    nodes,
    cost: rounded(microDollars / 1_000_000, 4),
    costPerHour: rounded(microDollarsPerHour / 1_000_000, 4),
    apiCalls: Object.values(apiCallsByKind).reduce((sum, count) => sum + count, 0),
    apiCallsByKind,
    secondsToRunning: {
      ...(p50 === undefined ? {} : { p50: rounded(p50 / 1000, 1) }),
      ...(p99 === undefined ? {} : { p99: rounded(p99 / 1000, 1) }),
    },
    looks,
    simulatedSeconds: rounded((world.nowMs() - world.spec.startMs) / 1000, 1),
  };
};
