/**
 * One actor per cluster: a lease with a fencing number that only grows, and a count of those who found it
 * held meanwhile.
 */
export interface ClusterLeases {
  /** `undefined` where somebody else holds it. Marks left behind by a holder that died are handed on. */
  acquire(request: LeaseRequest): Promise<Lease | undefined>;
  /**
   * Leaves a mark: the holder looks again before it gives the lease back. `undefined` where nobody holds it
   * at `nowMs`: take it instead.
   */
  mark(cluster: string, nowMs: number): Promise<LeaseMark | undefined>;
  /** Gives it back and clears the marks, unless one was left since `lease.marks` was counted. */
  release(lease: Lease): Promise<Release>;
  /** Gives it back whatever marks there are and leaves them to the next holder. Not ours: does nothing. */
  abandon(lease: Lease): Promise<void>;
  /** Who holds it, for people; `undefined` where nobody ever did. */
  read(cluster: string): Promise<LeaseState | undefined>;
}

export interface LeaseRequest {
  readonly cluster: string;
  readonly owner: string;
  readonly nowMs: number;
  readonly ttlMs: number;
}

export interface Lease {
  readonly cluster: string;
  readonly owner: string;
  readonly fence: number;
  readonly expiresAtMs: number;
  /** Marks that the look under this lease takes care of: those that were there before it began. */
  readonly marks: number;
}

export interface LeaseMark {
  /** 1 for the first one since the lease was last given back. */
  readonly number: number;
  /** When the lease runs out if its holder has died. */
  readonly heldUntilMs: number;
}

/** `lost`: it ran out and somebody else took it, or it was given back before. */
export type Release =
  | { readonly status: 'released' | 'lost' }
  | { readonly status: 'marked'; readonly marks: number };

export interface LeaseState {
  readonly fence: number;
  readonly marks: number;
  /** When it was last taken. Absent where nobody has since a version that does not tell. */
  readonly takenAtMs?: number;
  /** When the last holder that released it had taken it: their work came to its end. */
  readonly doneAtMs?: number;
  /** Absent while it is free. */
  readonly holder?: { readonly owner: string; readonly expiresAtMs: number };
}

/**
 * The latest end that a sound lease can have. One that ends later was written by a clock that runs ahead, and is
 * free: its holder may have died, and everybody would wait for that clock. Twice the time to live, since
 * clocks that differ by less than it do no harm.
 */
export const latestEndMs = ({ nowMs, ttlMs }: Pick<LeaseRequest, 'nowMs' | 'ttlMs'>): number =>
  nowMs + 2 * ttlMs;
