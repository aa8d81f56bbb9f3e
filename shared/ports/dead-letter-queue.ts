/** So long a letter that is being read is hidden from others at most: whoever dies over it gives it back then. */
export const hiddenSeconds = 30;

/** One queue of dead letters, as a person looks after it. */
export interface DeadLetterQueue {
  /**
   * Up to `limit` letters, in the order in which the queue gives them. They are hidden from others while they
   * are read, for `hiddenSeconds` at most, and stay in the queue.
   */
  list(limit: number): Promise<readonly FiledLetter[]>;
  /**
   * Takes letters one after another, up to `limit`, sends those that `wanted` says back to the queue that
   * they came from, and then deletes them here; the others stay. Cut off between the two, a message is in both queues: it is
   * handled twice, never lost. `onRetried` is told of each once it is done.
   */
  retry(request: RetryRequest): Promise<RetryResult>;
  /** About how many there are. */
  count(): Promise<LetterCount>;
}

export interface LetterCount {
  /** With those in flight. */
  readonly total: number;
  /** Hidden at the moment, since another reader has taken them. */
  readonly inFlight: number;
}

export interface RetryRequest {
  readonly wanted: (letter: FiledLetter) => boolean;
  readonly limit: number;
  /** Says whether the search may end before `limit`: all that were asked for are found. */
  readonly enough?: () => boolean;
  readonly onRetried?: (letter: FiledLetter) => void;
}

export interface RetryResult {
  readonly retried: readonly FiledLetter[];
  /** Letters that were looked at and stayed. */
  readonly left: number;
}

export interface FiledLetter {
  /** The queue's id of the message. */
  readonly id: string;
  readonly body: string;
  /** Why it is here; absent where the queue itself gave up after too many tries. */
  readonly code?: string;
  readonly message?: string;
  readonly sentAtMs: number;
  /** How often it was received here, this time included. */
  readonly receives: number;
}
