import { type JournalledDecision, listDecisions, readDecision } from '#operations/read-journal.ts';
import type { DecisionLine } from '#operations/status.ts';
import { openJournal, readRecord } from './open-journal.ts';

/** The newest decisions of a cluster of the deployed journal. Throws `notFound` for a cluster that is not deployed. */
export const journalOf = async (
  cluster: string,
  limit: number,
  stack?: string,
): Promise<readonly DecisionLine[]> => {
  const journal = await openJournal(stack);
  const decisions = await listDecisions(journal, cluster, limit);
  // One that is deployed no more still has its journal.
  if (decisions.length === 0) await journal.assureCluster(cluster);
  return decisions;
};

/** One decision of the deployed journal. */
export const journalledDecision = async (id: string, stack?: string): Promise<JournalledDecision> =>
  readDecision({ read: (one) => readRecord(one, stack) }, id);
