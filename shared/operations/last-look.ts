import type { LeaseState } from '#ports/cluster-leases.ts';

/** What a cluster's lease testifies: every look takes it, also one that finds nothing to decide anew. */
export interface LastLook {
  /** When it began. */
  readonly atMs: number;
  /** `failed`: it gave the lease up, or died with it. */
  readonly result: 'done' | 'failed' | 'running';
}

/** The last look at a cluster; `undefined` where none is known. */
export const lastLookOf = (lease: LeaseState | undefined, nowMs: number): LastLook | undefined => {
  const { takenAtMs, doneAtMs, holder } = lease ?? {};
  if (takenAtMs === undefined) return undefined;
  const isHeld = holder !== undefined && holder.expiresAtMs > nowMs;
  if (isHeld) return { atMs: takenAtMs, result: 'running' };
  return { atMs: takenAtMs, result: takenAtMs === doneAtMs ? 'done' : 'failed' };
};
