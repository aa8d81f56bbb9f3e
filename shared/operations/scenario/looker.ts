import type { Page, Pages } from '#ports/pages.ts';
import type { Wakeup, Wakeups } from '#ports/wakeups.ts';
import type { ScaleUpDecision } from '#scaling/decision.ts';
import { startLimitOf } from '#scaling/group-policy.ts';
import type { ScalingPolicy } from '#scaling/policy.ts';
import type { World } from '#world/world.ts';
import { type ScaleUpOutcome, type ScaleUpPorts, scaleUp } from '../scale-up.ts';
import { type Agenda, type DueLook, sweepEveryMs } from './agenda.ts';
import type { StoryEvent } from './story.ts';
import { createDecisionTeller } from './story-of-decision.ts';

/** The operation's ports, of which a scenario plays the other side: queue and pager. */
export interface PlayPorts extends ScaleUpPorts {
  readonly wakeups: Wakeups & { take(): readonly Wakeup[] };
  readonly pages: Pages & { sent(): readonly Page[] };
}

export interface LookerRequest {
  readonly policy: ScalingPolicy;
  readonly engineVersion: string;
}

export interface Looker {
  looks(): number;
  /** Has the operation look, puts what it asks for on the agenda, and tells what it decided. */
  look(due: DueLook): Promise<readonly StoryEvent[]>;
  /** Until when it may yet do something of itself, although nothing has happened since that time. */
  mayActUntilMs(sinceMs: number): Promise<number>;
}

/** Looks as the function does, and tells what was decided from what was journalled. */
export const createLooker = (
  world: World,
  ports: PlayPorts,
  { policy, engineVersion, agenda }: LookerRequest & { readonly agenda: Agenda },
): Looker => {
  const { cluster, startMs } = world.spec;
  const decisions = createDecisionTeller();
  let looks = 0;
  let paged = 0;
  let last: { readonly id: string; readonly decision: ScaleUpDecision } | undefined;

  const newDecision = async (): Promise<readonly StoryEvent[]> => {
    const [newest] = await ports.journal.list(cluster, 1);
    if (newest === undefined || newest.id === last?.id) return [];
    const record = await ports.journal.read(newest.id);
    last = record;
    return decisions.tell(record, startMs);
  };

  const newPages = (): readonly StoryEvent[] => {
    const pages = ports.pages.sent().slice(paged);
    paged += pages.length;
    return pages.map(({ atMs, summary, text }) => ({
      atMs: atMs - startMs,
      kind: 'paged',
      what: summary,
      why: [text],
    }));
  };

  return {
    looks: () => looks,
    look: async (due) => {
      looks += 1;
      const nowMs = world.nowMs();
      const outcome = await scaleUp(ports, {
        cluster,
        policy,
        ...due,
        owner: `simulate-${looks}`,
        engineVersion,
      });
      agenda.send(ports.wakeups.take(), nowMs);
      const failed = outcome.status === 'failed' || outcome.status === 'held';
      const comesBack = failed && agenda.failed(due, nowMs);
      return [
        ...(await newDecision()),
        ...newPages(),
        ...tellFailure(outcome, comesBack, nowMs - startMs),
      ];
    },
    mayActUntilMs: async (sinceMs) => {
      const ledger = await ports.ledger.read(cluster);
      const expecting =
        last !== undefined && last.decision.fits.length + last.decision.scaleUps.length > 0;
      // Capacity that is expected may fail to come until its start limit; a sweep sees that it did.
      const limits = world.groups().groups.map((group) => startLimitOf(policy, group));
      const limitMs = expecting ? Math.max(...limits) * 1000 : 0;
      const backOffs = ledger.map(({ backOff }) => backOff?.untilMs ?? 0);
      return sweepEveryMs + Math.max(sinceMs + limitMs, ...backOffs);
    },
  };
};

const tellFailure = (
  { status, error }: ScaleUpOutcome,
  comesBack: boolean,
  atMs: number,
): readonly StoryEvent[] => {
  if (error === undefined) return [];
  const next = comesBack ? 'and is repeated' : 'and the next sweep looks again';
  const what = status === 'failed' ? `the look failed, ${next}` : 'not every pod was told';
  return [{ atMs, kind: 'failure', what, why: [`${error.code}: ${error.message}`] }];
};
