import { formatTime } from '#cluster/time.ts';
import type { Journal } from '#ports/journal.ts';
import type { ReplayOutcome } from './replay.ts';
import { type DecisionLine, decisionLineOf } from './status.ts';

/** A journalled decision as commands print it: without its input, which `outrider replay` takes again. */
export interface JournalledDecision extends DecisionLine {
  readonly cluster: string;
  readonly decision: ReplayOutcome['decision'];
  /** What could not be read and was left out. */
  readonly problems: readonly ReplayOutcome['decision']['problems'][number][];
}

/** The newest decisions of a cluster, newest first. */
export const listDecisions = async (
  journal: Pick<Journal, 'list'>,
  cluster: string,
  limit: number,
): Promise<readonly DecisionLine[]> => (await journal.list(cluster, limit)).map(decisionLineOf);

/** Whether a look for that reason, begun then, took the decision itself: else it found one that still stands. */
export const isDecisionOf = (
  { at, trigger }: DecisionLine,
  look: { readonly trigger: string; readonly sinceMs: number },
): boolean => trigger === look.trigger && at >= formatTime(look.sinceMs);

/** One decision with its reasons. Throws `notFound` for an unknown id. */
export const readDecision = async (
  journal: Pick<Journal, 'read'>,
  id: string,
): Promise<JournalledDecision> => {
  const record = await journal.read(id);
  const { cluster, decision, problems } = record;
  return { ...decisionLineOf(record), cluster, decision, problems };
};
