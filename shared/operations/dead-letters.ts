import { formatTime } from '#cluster/time.ts';
import type { Clock } from '#ports/clock.ts';
import type { DeadLetterQueue, FiledLetter } from '#ports/dead-letter-queue.ts';
import { excerptOf } from './excerpt.ts';

/** The dead letters of one network, or of what stands outside the networks. */
export interface LetterBox {
  /** The network's name; `-` for what stands outside the networks. */
  readonly network: string;
  readonly queue: DeadLetterQueue;
}

/** A dead letter as commands print it. */
export interface LetterLine {
  readonly id: string;
  readonly network: string;
  /** `retriesExhausted` where the queue gave up, so that nobody wrote down why. */
  readonly code: string;
  readonly message: string;
  readonly sentAt: string;
  readonly ageSeconds: number;
  readonly receives: number;
  /** The beginning of the body, without what looks like a secret; code and message are cut alike. */
  readonly body: string;
}

const exhausted = {
  code: 'retriesExhausted',
  message:
    'was tried as often as its queue allows: the log of the function says what failed each time',
};

const lineOf = (network: string, letter: FiledLetter, nowMs: number): LetterLine => ({
  id: letter.id,
  network,
  code: excerptOf(letter.code ?? exhausted.code),
  message: excerptOf(letter.message ?? (letter.code === undefined ? exhausted.message : '')),
  sentAt: formatTime(letter.sentAtMs),
  ageSeconds: Math.max(0, Math.floor((nowMs - letter.sentAtMs) / 1000)),
  receives: letter.receives,
  body: excerptOf(letter.body),
});

export interface ListedLetters {
  /** By network, then oldest first. */
  readonly letters: readonly LetterLine[];
  /** A limit was reached: there may be more. */
  readonly more: boolean;
}

/** Reads dead letters and leaves them where they are. */
export const listDeadLetters = async (
  boxes: readonly LetterBox[],
  limit: number,
  clock: Clock,
): Promise<ListedLetters> => {
  const letters: LetterLine[] = [];
  for (const { network, queue } of boxes) {
    const room = limit - letters.length;
    if (room <= 0) break;
    const found = [...(await queue.list(room))].sort((a, b) => a.sentAtMs - b.sentAtMs);
    letters.push(...found.map((letter) => lineOf(network, letter, clock.nowMs())));
  }
  return { letters, more: letters.length >= limit };
};

export interface RetriedLetters {
  readonly retried: readonly LetterLine[];
  /** Asked for and not found. */
  readonly notFound: readonly string[];
  /** A limit was reached: the command must be given again for the rest. */
  readonly more: boolean;
}

export interface RetryLettersRequest {
  /** Ids; absent: all of them. */
  readonly ids?: readonly string[];
  /** The most letters that are looked at in each queue. */
  readonly limit: number;
  readonly onRetried?: (letter: LetterLine) => void;
}

/**
 * Sends dead letters back to their queues. At least once: cut off half way, a message may be handled twice; it is
 * only a hint. One whose fault is not mended becomes a dead letter again.
 */
export const retryDeadLetters = async (
  boxes: readonly LetterBox[],
  request: RetryLettersRequest,
  clock: Clock,
): Promise<RetriedLetters> => {
  const missing = new Set(request.ids);
  const retried: LetterLine[] = [];
  let more = false;
  for (const { network, queue } of boxes) {
    if (request.ids !== undefined && missing.size === 0) break;
    // No more than there are now: those that come back while we work would be sent round for ever.
    const there = request.ids === undefined ? await queue.count() : request.limit;
    const result = await queue.retry({
      wanted: ({ id }) => request.ids === undefined || missing.has(id),
      limit: Math.min(request.limit, there),
      ...(request.ids === undefined ? {} : { enough: () => missing.size === 0 }),
      onRetried: (letter) => {
        missing.delete(letter.id);
        const line = lineOf(network, letter, clock.nowMs());
        retried.push(line);
        request.onRetried?.(line);
      },
    });
    more ||= result.retried.length + result.left >= request.limit;
  }
  return { retried, notFound: [...missing], more };
};
