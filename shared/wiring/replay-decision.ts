import { readDecisionFile } from '#adapters/files/decision-file.ts';
import { type ReplayedRecord, type ReplayOutcome, replay } from '#operations/replay.ts';
import { PortError } from '#ports/port-error.ts';
import { isDecisionId, readRecord } from './open-journal.ts';

export interface ReplayedDecision {
  readonly outcome: ReplayOutcome;
  readonly cluster: string;
}

/** A file wins over the journal, whatever it is called. */
const recordOf = async (which: string, stack?: string): Promise<ReplayedRecord> => {
  try {
    return await readDecisionFile(which);
  } catch (error) {
    if (!(error instanceof PortError) || error.code !== 'notFound') throw error;
    if (isDecisionId(which)) return readRecord(which, stack);
    const message = `${which} is neither a file nor an ID such as demo/scale-up/17`;
    throw new PortError('notFound', message, { cause: error });
  }
};

/**
 * Takes a decision again: of a file, or of the deployed journal by its id. Throws a `PortError` where
 * there is none.
 */
export const replayDecision = async (which: string, stack?: string): Promise<ReplayedDecision> => {
  const record = await recordOf(which, stack);
  return { outcome: replay(record), cluster: record.input.cluster };
};
