import { counted } from '#cluster/counted.ts';
import type { Problem } from '#cluster/problem.ts';
import type { DecisionRecord } from '#ports/journal.ts';
import type { ScaleUpDecision, ScaleUpInput } from '#scaling/decision.ts';

/** What the journal keeps of a decision, but for its number. */
export const decisionRecordOf = (
  request: { readonly trigger: string; readonly engineVersion: string },
  { input, problems }: { readonly input: ScaleUpInput; readonly problems: readonly Problem[] },
  decision: ScaleUpDecision,
): Omit<DecisionRecord, 'id'> => ({
  cluster: input.cluster,
  atMs: input.nowMs,
  mode: input.policy.mode,
  engineVersion: request.engineVersion,
  trigger: request.trigger,
  said: saidOf(decision),
  input,
  decision,
  problems,
});

const saidOf = (decision: ScaleUpDecision): string => {
  const raises = decision.scaleUps.map(({ group, from, to }) => `${group} ${from} -> ${to}`);
  return [
    raises.length === 0 ? 'no group raised' : raises.join(', '),
    counted(decision.fits.length, 'pod fits', 'pods fit'),
    `${decision.stuck.length} stuck`,
  ].join('; ');
};
