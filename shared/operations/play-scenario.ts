import { counted } from '#cluster/counted.ts';
import type { World } from '#world/world.ts';
import { createAgenda } from './scenario/agenda.ts';
import { createLooker, type LookerRequest, type PlayPorts } from './scenario/looker.ts';
import { createNarrator } from './scenario/narrator.ts';
import type { StoryEvent } from './scenario/story.ts';
import { type ScenarioSummary, summaryOf } from './scenario/summary.ts';

export interface PlayRequest extends LookerRequest {
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
 * hints, on every sweep and whenever it wakes itself. Yields what happened and why; returns the figures. It ends when all pods
 * ran, when nothing more can happen, or at the limit.
 */
export async function* playScenario(
  world: World,
  ports: PlayPorts,
  request: PlayRequest,
): AsyncGenerator<StoryEvent, ScenarioSummary> {
  const { startMs, lag } = world.spec;
  const endMs = startMs + request.limitMs;
  const agenda = createAgenda(startMs, lag);
  const narrator = createNarrator(startMs);
  const looker = createLooker(world, ports, { ...request, agenda });
  let changedAtMs = startMs;

  for (let step = 1; ; step += 1) {
    const nowMs = Math.min(world.nextAtMs() ?? endMs, agenda.nextAtMs(), endMs);
    yield* narrator.tellBefore(nowMs);
    world.advanceTo(nowMs);
    const happened = world.takeHappenings();
    narrator.hear(happened);
    agenda.see(happened);
    if (happened.length > 0) changedAtMs = nowMs;

    const due = agenda.takeDue(nowMs);
    if (due !== undefined) {
      yield* narrator.tell();
      const events = await looker.look(due);
      if (events.length > 0) changedAtMs = nowMs;
      yield* events;
      const caused = world.takeHappenings();
      narrator.hear(caused);
      agenda.see(caused);
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
    const impatient = quiet && nowMs >= (await looker.mayActUntilMs(changedAtMs));
    const ended = endOf({ limit, quiet, lost: pods.lost, impatient });
    if (ended === undefined) continue;
    yield* narrator.tell();
    yield { atMs: elapsedMs, kind: 'end', what: ended, why: [] };
    return summaryOf(world, request.lateAfterMs, looker.looks());
  }
}

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
