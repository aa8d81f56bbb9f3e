import { createBackOff } from './back-off.ts';
import type { Timers } from './timers.ts';

export interface BatcherOptions<T> {
  readonly timers: Timers;
  /** Puts one piece of news on the bus, with the number of others it stands for; rejects where the bus did not take it. */
  readonly send: (news: T, more: number) => Promise<void>;
  /** Uniform in [0, 1): full jitter on the back-off. */
  readonly random: () => number;
  /** Told of all that was not taken, and how long until it is sent again. */
  readonly onFailure: (error: unknown, waitMs: number) => void;
  readonly batching: Batching<T>;
}

/** What is told as one, and when. */
export interface Batching<T> {
  /** News of one key is told as one. */
  readonly keyOf: (news: T) => string;
  readonly merge: (before: T, after: T) => T;
  /** News goes out this long after the last of its key. */
  readonly quietMs: number;
  /** … and this long after the first of them, whatever follows. */
  readonly longestMs: number;
  /** Tried in any 60 s. */
  readonly mostPerMinute?: number;
  /** Keys remembered; of more only the number. */
  readonly mostKeys?: number;
}

export interface Batcher<T> {
  add(news: T): void;
  /** Sends what waits now, of several keys one that stands for all; resolves when that is done, whether it worked or not. */
  flush(): Promise<void>;
  /** All that is remembered now, what is on its way included. */
  remembered(): readonly T[];
  /** Whether there is news that the bus has not taken yet. */
  isEmpty(): boolean;
}

interface Waiting<T> {
  readonly news: T;
  readonly firstMs: number;
  readonly lastMs: number;
}

const minuteMs = 60_000;

/**
 * Gathers news by key: what comes again within `quietMs` is told once. The last that the minute allows stands
 * for every other key that is due by then, so that a zone that goes dark causes a few looks and none
 * afterwards. One is on its way at a time. It is kept until the bus has taken it, and sent again after a
 * back-off with full jitter, together with what has come since.
 */
export function createBatcher<T>(options: BatcherOptions<T>): Batcher<T> {
  const { timers } = options;
  const { keyOf, merge, quietMs, longestMs } = options.batching;
  const { mostPerMinute = Infinity, mostKeys = Infinity } = options.batching;
  const backOff = createBackOff(options.random);

  /** By key, oldest first. */
  const waiting = new Map<string, Waiting<T>>();
  /** News that could not be remembered. */
  let unnamed = 0;
  let sending: { readonly news: T; readonly more: number } | undefined;
  let flight = Promise.resolve();
  let notBeforeMs = 0;
  let triedMs: readonly number[] = [];
  let cancelTimer = () => {};

  const dueMs = ({ firstMs, lastMs }: Waiting<T>): number =>
    Math.min(lastMs + quietMs, firstMs + longestMs);

  /** How many may be tried now. */
  const allowance = (): number => {
    triedMs = triedMs.filter((atMs) => atMs > timers.nowMs() - minuteMs);
    return mostPerMinute - triedMs.length;
  };

  const schedule = (): void => {
    cancelTimer();
    if (waiting.size === 0 || sending !== undefined) return;
    const firstDueMs = Math.min(...[...waiting.values()].map(dueMs));
    const allowedMs = allowance() > 0 ? 0 : (triedMs[0] ?? 0) + minuteMs;
    const atMs = Math.max(firstDueMs, allowedMs, notBeforeMs);
    cancelTimer = timers.after(Math.max(0, atMs - timers.nowMs()), () => void dispatch());
  };

  const dispatch = (): Promise<void> => {
    const due = [...waiting.values()].filter((each) => dueMs(each) <= timers.nowMs());
    return deliver(allowance() > 1 ? due.slice(0, 1) : due);
  };

  /** Sends the first of these; it stands for the others too. */
  const deliver = (told: readonly Waiting<T>[]): Promise<void> => {
    cancelTimer();
    const [first] = told;
    if (first === undefined || sending !== undefined) {
      schedule();
      return flight;
    }
    for (const { news } of told) waiting.delete(keyOf(news));
    sending = { news: first.news, more: told.length - 1 + unnamed };
    unnamed = 0;
    triedMs = [...triedMs, timers.nowMs()];
    flight = send(sending);
    return flight;
  };

  const send = async ({ news, more }: NonNullable<typeof sending>): Promise<void> => {
    try {
      await options.send(news, more);
      backOff.succeeded();
      notBeforeMs = 0;
    } catch (error) {
      const waitMs = backOff.failed();
      notBeforeMs = timers.nowMs() + waitMs;
      unnamed += more;
      putBack(news);
      options.onFailure(error, waitMs);
    } finally {
      sending = undefined;
      schedule();
    }
  };

  /** Before all others: it is overdue, and only the back-off holds it up. */
  const putBack = (news: T): void => {
    const key = keyOf(news);
    const newer = waiting.get(key);
    const others = [...waiting].filter(([other]) => other !== key);
    const lastMs = newer?.lastMs ?? timers.nowMs();
    waiting.clear();
    waiting.set(key, {
      news: newer === undefined ? news : merge(news, newer.news),
      firstMs: Math.min(lastMs, timers.nowMs() - longestMs),
      lastMs,
    });
    for (const [other, each] of others) waiting.set(other, each);
  };

  return {
    add(news) {
      const nowMs = timers.nowMs();
      const before = waiting.get(keyOf(news));
      if (before === undefined && waiting.size >= mostKeys) unnamed += 1;
      else {
        waiting.set(keyOf(news), {
          news: before === undefined ? news : merge(before.news, news),
          firstMs: before?.firstMs ?? nowMs,
          lastMs: nowMs,
        });
      }
      schedule();
    },
    async flush() {
      // What is on its way may come back; it is then sent once more with the rest.
      await flight;
      await deliver([...waiting.values()]);
    },
    remembered: () => [
      ...(sending === undefined ? [] : [sending.news]),
      ...[...waiting.values()].map(({ news }) => news),
    ],
    isEmpty: () => waiting.size === 0 && sending === undefined,
  };
}
