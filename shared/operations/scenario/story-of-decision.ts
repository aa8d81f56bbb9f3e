import { counted } from '#cluster/counted.ts';
import { problemLine } from '#cluster/problem.ts';
import type { DecisionRecord } from '#ports/journal.ts';
import type { IgnoredPod, Reason, ScaleUp, StuckPod, TakeBack } from '#scaling/decision.ts';
import { modeOfGroup } from '#scaling/group-policy.ts';
import { named, type StoryEvent } from './story.ts';

type Telling = Omit<StoryEvent, 'atMs'>;

const reasonText = ({ group, node, message }: Reason): string => {
  const place = group ?? node;
  return place === undefined ? message : `${place}: ${message}`;
};

const tellRaise = ({ group, from, to, pods, reason }: ScaleUp, acts: boolean): Telling => ({
  kind: 'decision',
  what: `${acts ? 'raise' : 'would raise'} ${group} from ${from} to ${to} for ${counted(pods.length, 'pod')}`,
  why: acts ? [reason] : [reason, 'mode observe: nothing is done'],
});

const tellTakeBack = ({ group, from, to, reason }: TakeBack, acts: boolean): Telling => ({
  kind: 'decision',
  what: `${acts ? 'take' : 'would take'} ${group} back from ${from} to ${to}`,
  why: acts ? [reason] : [reason, 'mode observe: nothing is done'],
});

/** Pods that are stuck for the same reasons are told together. */
const tellStuck = (stuck: readonly StuckPod[]): readonly Telling[] =>
  [...Map.groupBy(stuck, ({ reasons }) => JSON.stringify(reasons)).values()].map((alike) => ({
    kind: 'stuck',
    what: `no group can host ${named(alike.map(({ pod }) => pod))}`,
    why: alike[0]?.reasons.map(reasonText) ?? [],
  }));

/** A pod whose turn has not come yet is no news a moment later. */
const lastingIgnored = (ignored: readonly IgnoredPod[]): readonly IgnoredPod[] =>
  ignored.filter(({ code }) => code !== 'notYetScheduled' && code !== 'daemonSetPod');

export interface DecisionTeller {
  /** What is new in a decision, with its reasons as journalled. */
  tell(record: DecisionRecord, startMs: number): readonly StoryEvent[];
}

/** A standing state (stuck, left out, blocked) is told when it comes, and again when it changed. */
export const createDecisionTeller = (): DecisionTeller => {
  let standing = new Set<string>();
  return {
    tell: (record, startMs) => {
      const { decision, input } = record;
      const acts = (group: string): boolean => modeOfGroup(input.policy, group) === 'act';
      const changes = [
        ...decision.takeBacks.map((takeBack) => tellTakeBack(takeBack, acts(takeBack.group))),
        ...decision.scaleUps.map((scaleUp) => tellRaise(scaleUp, acts(scaleUp.group))),
      ];
      const problems = new Set([...record.problems, ...decision.problems].map(problemLine));
      const states: readonly Telling[] = [
        ...tellStuck(decision.stuck),
        ...[...Map.groupBy(lastingIgnored(decision.ignored), ({ message }) => message)].map(
          ([message, pods]): Telling => ({
            kind: 'ignored',
            what: `${named(pods.map(({ pod }) => pod))} left out`,
            why: [message],
          }),
        ),
        ...decision.blockedGroups.map(
          (reason): Telling => ({
            kind: 'blocked',
            what: `${reason.group ?? 'a group'} cannot be used`,
            why: [reason.message],
          }),
        ),
        ...[...problems].map(
          (problem): Telling => ({
            kind: 'blocked',
            what: 'left out of the input',
            why: [problem],
          }),
        ),
      ];
      const news = states.filter((state) => !standing.has(JSON.stringify(state)));
      standing = new Set(states.map((state) => JSON.stringify(state)));
      const atMs = record.atMs - startMs;
      return [...changes, ...news].map((telling) => ({ atMs, ...telling }));
    },
  };
};
