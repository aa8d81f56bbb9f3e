import { counted } from '#cluster/counted.ts';
import { podKey } from '#cluster/snapshot.ts';
import type { Reason, StuckPod } from './decision.ts';
import type { GroupState } from './group-state.ts';
import type { RefusedGang } from './planning/plan-gangs.ts';
import { stuckReasons } from './stuck-reasons.ts';

/** Why nothing is added for the pods of a gang: who of it lacks a place, and what that one lacks of every group. */
export const gangReasons = (
  refused: RefusedGang,
  groups: readonly GroupState[],
): readonly StuckPod[] => {
  const { gang, lacking, plan } = refused;
  const { added, choosing, world } = plan;
  const reasons: readonly Reason[] = [
    { code: 'gangIncomplete', message: messageOf(refused) },
    ...(lacking === undefined
      ? []
      : stuckReasons(lacking, { groups, added, limits: choosing.limits, world })),
  ];
  return gang.waiting.map((pod) => ({ pod: podKey(pod), reasons }));
};

const messageOf = ({ gang, placed, lacking }: RefusedGang): string => {
  const { name, minimum, needed, waiting } = gang;
  const running = minimum - needed;
  const beside = running === 0 ? '' : ` beside the ${running} that run`;
  const needs = `the gang ${name} needs ${counted(minimum, 'pod')} at once`;
  return lacking === undefined
    ? `${needs}, and ${waiting.length} of it can be placed${beside}: nodes are added once the others wait for one too`
    : `${needs}: ${placed} of ${waiting.length} find a place${beside} and ${podKey(lacking)} does not, so that nothing is added for any of them`;
};
