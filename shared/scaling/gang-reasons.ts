import { counted } from '#cluster/counted.ts';
import { podKey } from '#cluster/snapshot.ts';
import type { Trials } from '#scheduling/trials.ts';
import type { Reason, StuckPod } from './decision.ts';
import type { GroupState } from './group-state.ts';
import type { RefusedGang } from './planning/plan-gangs.ts';
import { stuckReasons } from './stuck-reasons.ts';

/** What one group's reason for one pod costs, in glances; measured. */
export const trialsOfReason = 250;

/**
 * Why nothing is added for the pods of a gang: who of it lacks a place, and what that one lacks of every group, as far
 * as the trials suffice to find it out.
 */
export const gangReasons = (
  refused: RefusedGang,
  groups: readonly GroupState[],
  trials: Trials,
): readonly StuckPod[] => {
  const { gang, lacking, plan } = refused;
  const { added, choosing, world } = plan;
  const mayAsk = lacking !== undefined && trials.left > 0;
  if (mayAsk) trials.left -= groups.length * trialsOfReason;
  const reasons: readonly Reason[] = [
    { code: 'gangIncomplete', message: messageOf(refused) },
    ...(mayAsk ? stuckReasons(lacking, { groups, added, limits: choosing.limits, world }) : []),
  ];
  return gang.waiting.map((pod) => ({ pod: podKey(pod), reasons }));
};

const messageOf = ({ gang, placed, lacking, cutShort }: RefusedGang): string => {
  const { name, minimum, needed, waiting } = gang;
  const running = minimum - needed;
  const beside = running === 0 ? '' : ` beside the ${running} that run`;
  const needs = `the gang ${name} needs ${counted(minimum, 'pod')} at once`;
  if (lacking !== undefined) {
    return `${needs}: ${placed} of ${waiting.length} find a place${beside} and ${podKey(lacking)} does not, so that nothing is added for any of them`;
  }
  return cutShort
    ? `${needs}, and the trials of one decision (scaling.trialsPerDecision) were used up before a place was found for all of them: the next look goes in the same order, by priority first, and comes further as pods find nodes`
    : `${needs}, and ${waiting.length} of it can be placed${beside}: nodes are added once the others wait for one too`;
};
