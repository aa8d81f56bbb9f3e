/** Messages to Outrider itself: a cluster is looked at again some time from now. Losing one costs a sweep's time. */
export interface Wakeups {
  /** Throws where any of them was not taken; sending all of them again does no harm. */
  send(wakeups: readonly Wakeup[]): Promise<void>;
}

export interface Wakeup {
  readonly cluster: string;
  /** Whole seconds, 0 to 900. */
  readonly afterSeconds: number;
  readonly because: WakeupReason;
  /** Counts the looks that followed one from another, the first being 1. */
  readonly step: number;
}

/**
 * `marked`: a look found the lease held, and its holder may have died; `unfinished`: a look could not do
 * all there was to do; `sweep`: one cluster's share of a sweep.
 */
export type WakeupReason = 'marked' | 'unfinished' | 'sweep';
