import { counted } from '#cluster/counted.ts';
import type { ScaleUpDecision } from '#scaling/decision.ts';
import type { ScalingPolicy } from '#scaling/policy.ts';
import type { World } from '#world/world.ts';
import { type ScaleUpOutcome, type ScaleUpPorts, scaleUp } from './scale-up.ts';
import { createAgenda, type LookTrigger, sweepEveryMs } from './scenario/agenda.ts';
import { createNarrator } from './scenario/narrator.ts';
import type { StoryEvent } from './scenario/story.ts';
import { createDecisionTeller } from './scenario/story-of-decision.ts';
import { type ScenarioSummary, summaryOf } from './scenario/summary.ts';

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

/** Figures count every pod, so they are not taken at each step of a long run. */
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
  const { startMs, lag } = world.spec;
  const endMs = startMs + request.limitMs;
  const agenda = createAgenda(startMs, lag);
  const narrator = createNarrator(startMs);
  const looker = createLooker(world, ports, request);
  let changedAtMs = startMs;

  for (let step = 1; ; step += 1) {
    const nowMs = Math.min(world.nextAtMs() ?? endMs, agenda.nextAtMs(), endMs);
    yield* narrator.tellBefore(nowMs);
    world.advanceTo(nowMs);
    const happened = world.takeHappenings();
    narrator.hear(happened);
    agenda.see(happened);
    if (happened.length > 0) changedAtMs = nowMs;

    const trigger = agenda.takeDue(nowMs);
    if (trigger !== undefined) {
      yield* narrator.tell();
      const { again, events } = await looker.look(trigger);
      if (again) agenda.retry(nowMs);
      if (events.length > 0) changedAtMs = nowMs;
      yield* events;
      narrator.hear(world.takeHappenings());
    }

    const limit = nowMs >= endMs;
    const quiet = world.nextAtMs() === undefined && agenda.isQuiet();
    if (!limit && !quiet && step % stepsPerReport !== 1) continue;
    const { pods, nodes } = world.figures();
    const elapsedMs = nowMs - startMs;
    request.onProgress?.({
      elapsedMs,
      podsRunning: pods.placed,
      pods: pods.total,
      nodesReady: nodes.ready,
    });
    const patienceMs = patienceOf(looker.decision(), request.policy);
    const ended = endOf({
      limit,
      quiet,
      lost: pods.lost,
      impatient: nowMs - changedAtMs >= patienceMs,
    });
    if (ended === undefined) continue;
    yield* narrator.tell();
    yield { atMs: elapsedMs, kind: 'end', what: ended, why: [] };
    return summaryOf(world, request.lateAfterMs, looker.looks());
  }
}

/** Has the operation look, and tells what it decided from what it journalled. */
const createLooker = (world: World, ports: ScaleUpPorts, request: PlayRequest) => {
  const { cluster, startMs } = world.spec;
  const decisions = createDecisionTeller();
  let looks = 0;
  let last: { readonly id: string; readonly decision: ScaleUpDecision } | undefined;

  const newDecision = async (): Promise<readonly StoryEvent[]> => {
    const [newest] = await ports.journal.list(cluster, 1);
    if (newest === undefined || newest.id === last?.id) return [];
    const record = await ports.journal.read(newest.id);
    last = record;
    return decisions.tell(record, startMs);
  };

  return {
    looks: (): number => looks,
    decision: (): ScaleUpDecision | undefined => last?.decision,
    look: async (trigger: LookTrigger) => {
      looks += 1;
      const outcome = await scaleUp(ports, {
        cluster,
        policy: request.policy,
        trigger,
        owner: `simulate-${looks}`,
        engineVersion: request.engineVersion,
      });
      const told = await newDecision();
      const failure = tellFailure(outcome, world.nowMs() - startMs);
      return {
        again: outcome.status === 'failed' || outcome.status === 'held',
        events: failure === undefined ? told : [...told, failure],
      };
    },
  };
};

const tellFailure = ({ status, error }: ScaleUpOutcome, atMs: number): StoryEvent | undefined =>
  error === undefined
    ? undefined
    : {
        atMs,
        kind: 'failure',
        what: status === 'failed' ? 'the look failed, and is repeated' : 'not every pod was told',
        why: [`${error.code}: ${error.message}`],
      };

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
  readonly impatient: boolean;
}): string | undefined => {
  if (now.limit) return 'the scenario ends at its time limit';
  if (!now.quiet) return undefined;
  if (now.lost === 0) return 'every pod has run; nothing more will happen';
  return now.impatient
    ? `nothing more will happen; ${counted(now.lost, 'pod')} never ran`
    : undefined;
};
