/** One actor per cluster: a lease with a fencing number that only grows. */
export interface ClusterLeases {
  /** `undefined` where somebody else holds it. */
  acquire(request: LeaseRequest): Promise<Lease | undefined>;
  /** Gives it back, if it is still ours. */
  release(lease: Lease): Promise<void>;
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
}
