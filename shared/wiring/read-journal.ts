import { type JournalledDecision, listDecisions, readDecision } from '#operations/read-journal.ts';
import type { DecisionLine } from '#operations/status.ts';
import { openJournal } from './open-journal.ts';

/** The newest decisions of a cluster of the deployed journal. */
export const journalOf = async (
  cluster: string,
  limit: number,
  stack?: string,
): Promise<readonly DecisionLine[]> => listDecisions(await openJournal(stack), cluster, limit);

/** One decision of the deployed journal. */
export const journalledDecision = async (id: string, stack?: string): Promise<JournalledDecision> =>
  readDecision(await openJournal(stack), id);
