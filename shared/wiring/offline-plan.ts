import { type PlanOutcome, type PlanRequest, plan } from '#operations/plan.ts';

export type { ReadingProgress as PlanProgress } from '#adapters/files/recordings.ts';

import { openOfflineSnapshot, type SnapshotPaths } from './offline-snapshot.ts';

/** Plans a recorded cluster. Throws a `PortError` where the recording cannot be used at all. */
export const planRecorded = async (
  paths: SnapshotPaths,
  request: Omit<PlanRequest, 'recording' | 'clusters'>,
): Promise<PlanOutcome> =>
  plan({ ...request, ...(await openOfflineSnapshot(paths)) }, { nowMs: () => Date.now() });
