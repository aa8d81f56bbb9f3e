import type { ScaleUpDecision } from '#scaling/decision.ts';
import type { ScalingPolicy } from '#scaling/policy.ts';
import type { Happening } from '#world/happening.ts';
import type { World } from '#world/world.ts';
import { type ScaleUpOutcome, type ScaleUpPorts, scaleUp } from './scale-up.ts';
import { type ScenarioSummary, summaryOf } from './scenario-summary.ts';
import { counted, type StoryEvent, tellDecision, tellHappenings } from './story.ts';

export interface PlayRequest {
  readonly policy: ScalingPolicy;
  readonly engineVersion: string;
  /** The run ends so long after the start at the latest. */
  readonly limitMs: number;
  /** A pod that took longer from creation to Running was late. */
  readonly lateAfterMs: number;
  /** Called as the clock moves on. */
  readonly onProgress?: (progress: PlayProgress) => void;
}

export interface PlayProgress {
  readonly elapsedMs: number;
  readonly podsRunning: number;
  readonly pods: number;
  readonly nodesReady: number;
}

/** As the relay does: a hint so long after the last new Pending pod, at most so long after the first. */
const hintAfterMs = 200;
const hintAtMostMs = 2_000;
const sweepEveryMs = 60_000;
/** A look that failed is taken again when its message comes back to the queue. */
const retryAfterMs = 30_000;
/** Happenings that lie closer together are told as one. */
const breathMs = 5_000;
const stepsPerReport = 200;

/**
 * Plays a scenario: lets the world run, and has the same operation as the functions look at it, on
 * hints and on every sweep. Yields what happened and why; returns the figures. It ends when all pods
 * ran, when nothing more can happen, or at the limit.
 */
export async function* playScenario(
  world: World,
  ports: ScaleUpPorts,
  request: PlayRequest,
): AsyncGenerator<StoryEvent, ScenarioSummary> {
  const { cluster, startMs } = world.spec;
  const endMs = startMs + request.limitMs;
  const watch = createWatch(world.spec.lag);
  let sweepAtMs = startMs + sweepEveryMs;
  let retryAtMs: number | undefined;
  let looks = 0;
  let steps = 0;
  let decision: { readonly id: string; readonly decision: ScaleUpDecision } | undefined;
  let untold: Happening[] = [];
  let changedAtMs = startMs;

  const tell = (): readonly StoryEvent[] => {
    const told = tellHappenings(untold, startMs);
    untold = [];
    return told;
  };

  const look = async (trigger: string): Promise<readonly StoryEvent[]> => {
    looks += 1;
    const outcome = await scaleUp(ports, {
      cluster,
      policy: request.policy,
      trigger,
      owner: `simulate-${looks}`,
      engineVersion: request.engineVersion,
    });
    const atMs = world.nowMs();
    if (outcome.status === 'failed' || outcome.status === 'held') retryAtMs = atMs + retryAfterMs;
    const events: StoryEvent[] = [];
    const [newest] = await ports.journal.list(cluster, 1);
    if (newest !== undefined && newest.id !== decision?.id) {
      const record = await ports.journal.read(newest.id);
      decision = record;
      events.push(...tellDecision(record, startMs));
    }
    if (outcome.error !== undefined) events.push(tellFailure(outcome, atMs - startMs));
    return events;
  };

  while (true) {
    const nextAtMs = Math.min(
      world.nextAtMs() ?? Number.POSITIVE_INFINITY,
      watch.hintAtMs() ?? Number.POSITIVE_INFINITY,
      retryAtMs ?? Number.POSITIVE_INFINITY,
      sweepAtMs,
      endMs,
    );
    const firstUntold = untold[0];
    if (firstUntold !== undefined && nextAtMs - firstUntold.atMs >= breathMs) yield* tell();
    world.advanceTo(nextAtMs);
    const happened = world.takeHappenings();
    untold.push(...happened);
    if (happened.length > 0) changedAtMs = nextAtMs;
    watch.see(happened);

    const hinted = (watch.hintAtMs() ?? Number.POSITIVE_INFINITY) <= nextAtMs;
    const retried = (retryAtMs ?? Number.POSITIVE_INFINITY) <= nextAtMs;
    if (hinted || retried || sweepAtMs <= nextAtMs) {
      yield* tell();
      if (hinted) watch.sent();
      if (retried) retryAtMs = undefined;
      if (sweepAtMs <= nextAtMs) sweepAtMs += sweepEveryMs;
      const events = await look(hinted ? 'pod-pending' : retried ? 'retry' : 'sweep');
      if (events.length > 0) changedAtMs = nextAtMs;
      yield* events;
      untold.push(...world.takeHappenings());
    }
    const limit = nextAtMs >= endMs;
    const quiet =
      world.nextAtMs() === undefined && watch.hintAtMs() === undefined && retryAtMs === undefined;
    // Figures count every pod: worth their time only where they may end the run or were not shown lately.
    steps += 1;
    if (!limit && !quiet && steps % stepsPerReport !== 0) continue;
    const { pods, nodes } = world.figures();
    request.onProgress?.({
      elapsedMs: nextAtMs - startMs,
      podsRunning: pods.placed,
      pods: pods.total,
      nodesReady: nodes.ready,
    });
    const ended = endOf({
      limit,
      quiet,
      lost: pods.lost,
      idleMs: nextAtMs - changedAtMs,
      patienceMs: patienceOf(decision?.decision, request.policy),
    });
    if (ended === undefined) continue;
    yield* tell();
    yield { atMs: nextAtMs - startMs, kind: 'end', what: ended, why: [] };
    return summaryOf(world, request.lateAfterMs, looks);
  }
}

/** What the relay would do: batches newly unschedulable pods into hints. */
const createWatch = (lag: World['spec']['lag']) => {
  let firstSeenMs: number | undefined;
  let lastSeenMs = 0;
  return {
    see: (happenings: readonly Happening[]): void => {
      if (lag.hintsLost) return;
      for (const { kind, atMs } of happenings) {
        if (kind !== 'podsUnschedulable') continue;
        firstSeenMs ??= atMs;
        lastSeenMs = atMs;
      }
    },
    hintAtMs: (): number | undefined =>
      firstSeenMs === undefined
        ? undefined
        : Math.min(lastSeenMs + hintAfterMs, firstSeenMs + hintAtMostMs) + lag.hintMs,
    sent: (): void => {
      firstSeenMs = undefined;
    },
  };
};

const tellFailure = (outcome: ScaleUpOutcome, atMs: number): StoryEvent => ({
  atMs,
  kind: 'failure',
  what: outcome.status === 'failed' ? 'a look failed, and is repeated' : 'a look did only a part',
  why: outcome.error === undefined ? [] : [`${outcome.error.code}: ${outcome.error.message}`],
});

/**
 * How long to wait in silence while pods are Pending: where capacity is expected, until the start limit
 * has passed and the next sweep has looked; where all of them are stuck, for one sweep.
 */
const patienceOf = (decision: ScaleUpDecision | undefined, policy: ScalingPolicy): number => {
  const expecting = decision !== undefined && decision.fits.length + decision.scaleUps.length > 0;
  return sweepEveryMs + (expecting ? policy.startLimitSeconds * 1000 : 0);
};

const endOf = (now: {
  readonly limit: boolean;
  readonly quiet: boolean;
  readonly lost: number;
  readonly idleMs: number;
  readonly patienceMs: number;
}): string | undefined => {
  if (now.limit) return 'the scenario ends at its time limit';
  if (!now.quiet) return undefined;
  if (now.lost === 0) return 'every pod has run; nothing more will happen';
  if (now.idleMs < now.patienceMs) return undefined;
  return `nothing more will happen; ${counted(now.lost, 'pod')} never ran`;
};
