import { formatTime } from '#cluster/time.ts';
import type { Clock } from '#ports/clock.ts';
import { type DeadLetterQueue, type FiledLetter, hiddenSeconds } from '#ports/dead-letter-queue.ts';
import { excerptOf } from './excerpt.ts';
import { type Failure, failureOf } from './failure.ts';

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

/** The queue of one network could not be asked; the others were. */
export interface FailedBox {
  readonly network: string;
  readonly code: Failure['code'];
  readonly message: string;
}

/** Works on one network's letters. What fails there by a fault that is known is told, and holds up no other network. */
const tryBox = async (
  { network, queue }: LetterBox,
  work: (queue: DeadLetterQueue) => Promise<void>,
): Promise<readonly FailedBox[]> => {
  try {
    await work(queue);
    return [];
  } catch (error) {
    const { code, message } = failureOf(error);
    if (code === 'unexpected') throw error;
    return [{ network, code, message }];
  }
};

export interface ListedLetters {
  /** By network, then oldest first. */
  readonly letters: readonly LetterLine[];
  readonly failed: readonly FailedBox[];
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
  const failed: FailedBox[] = [];
  for (const box of boxes) {
    const room = limit - letters.length;
    if (room <= 0) break;
    const failure = await tryBox(box, async (queue) => {
      const found = [...(await queue.list(room))].sort((a, b) => a.sentAtMs - b.sentAtMs);
      letters.push(...found.map((letter) => lineOf(box.network, letter, clock.nowMs())));
    });
    failed.push(...failure);
  }
  return { letters, failed, more: letters.length >= limit };
};

/** Letters that another reader had taken when they were to be retried. */
export interface LettersInFlight {
  readonly network: string;
  /** About. */
  readonly count: number;
  /** Then they can be taken at the latest. */
  readonly visibleBy: string;
}

export interface RetriedLetters {
  readonly retried: readonly LetterLine[];
  /** Asked for and not found. */
  readonly notFound: readonly string[];
  /** Of those that were all to be retried; the command must be given again for them. */
  readonly inFlight: readonly LettersInFlight[];
  readonly failed: readonly FailedBox[];
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
  const { ids, limit } = request;
  const missing = new Set(ids);
  const retried: LetterLine[] = [];
  const inFlight: LettersInFlight[] = [];
  const failed: FailedBox[] = [];
  let more = false;
  for (const box of boxes) {
    if (ids !== undefined && missing.size === 0) break;
    const { network } = box;
    const failure = await tryBox(box, async (queue) => {
      // No more than there are now: those that come back while we work would be sent round for ever.
      const there = ids === undefined ? await queue.count() : { total: limit, inFlight: 0 };
      const result = await queue.retry({
        wanted: ({ id }) => ids === undefined || missing.has(id),
        limit: Math.min(limit, there.total),
        ...(ids === undefined ? {} : { enough: () => missing.size === 0 }),
        onRetried: (letter) => {
          missing.delete(letter.id);
          const line = lineOf(network, letter, clock.nowMs());
          retried.push(line);
          request.onRetried?.(line);
        },
      });
      const seen = result.retried.length + result.left;
      more ||= seen >= limit;
      // Some of those that were hidden may have come into view meanwhile.
      const count = Math.min(there.inFlight, there.total - seen);
      if (count > 0) inFlight.push({ network, count, visibleBy: visibleBy(clock) });
    });
    failed.push(...failure);
  }
  return { retried, notFound: [...missing], inFlight, failed, more };
};

const visibleBy = (clock: Clock): string => formatTime(clock.nowMs() + hiddenSeconds * 1000);
