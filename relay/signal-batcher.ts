import { createBackOff } from './back-off.ts';
import type { NodeNews } from './node-changes.ts';
import type { Timers } from './timers.ts';

export interface SignalBatcherOptions {
  readonly timers: Timers;
  /** Puts the news of one node on the bus, with the number of other nodes it stands for; rejects where the bus did not take it. */
  readonly send: (news: NodeNews, more: number) => Promise<void>;
  /** Uniform in [0, 1): full jitter on the back-off. */
  readonly random: () => number;
  /** Told of every signal that was not taken, and how long until it is sent again. */
  readonly onFailure: (error: unknown, waitMs: number) => void;
  /** A node's news goes out this long after its last change. Default 1,000. */
  readonly quietMs?: number;
  /** … and this long after its first, whatever follows. Default 5,000. */
  readonly longestMs?: number;
  /** Signals tried in any 60 s. Default 10: each causes a look at the whole cluster. */
  readonly mostPerMinute?: number;
  /** Nodes remembered; of more only the number. Default 1,000. */
  readonly mostNodes?: number;
}

export interface SignalBatcher {
  add(news: NodeNews): void;
  /** Sends what waits now as one signal, once; resolves when that is done, whether it worked or not. */
  flush(): Promise<void>;
  /** Nodes remembered now, those being told included. */
  remembered(): number;
  /** Whether there is news that the bus has not taken yet. */
  isEmpty(): boolean;
}

interface Waiting {
  readonly news: NodeNews;
  readonly firstMs: number;
  readonly lastMs: number;
}

interface Signal {
  readonly news: NodeNews;
  readonly more: number;
}

const minuteMs = 60_000;

/**
 * Gathers news of nodes into signals, one a node: what changes again within `quietMs` is told once, as it is in the end.
 * The last signal that the minute allows stands for every other node that is due by then, so that a zone
 * that goes dark causes a few looks and none afterwards. One is on its way at a time. It is kept until the
 * bus has taken it, and sent again after a back-off with full jitter, together with what has come since.
 */
export function createSignalBatcher(options: SignalBatcherOptions): SignalBatcher {
  const { timers } = options;
  const quietMs = options.quietMs ?? 1_000;
  const longestMs = options.longestMs ?? 5_000;
  const mostPerMinute = options.mostPerMinute ?? 10;
  const mostNodes = options.mostNodes ?? 1_000;
  const backOff = createBackOff(options.random);

  /** By UID, oldest first. */
  const waiting = new Map<string, Waiting>();
  /** Changes of nodes that could not be remembered, and since when. */
  let unnamed = 0;
  let sending: Signal | undefined;
  let flight = Promise.resolve();
  let notBeforeMs = 0;
  let triedMs: readonly number[] = [];
  let cancelTimer = () => {};

  const dueMs = ({ firstMs, lastMs }: Waiting): number =>
    Math.min(lastMs + quietMs, firstMs + longestMs);

  /** How many signals may be tried now. */
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

  /** Sends one signal, of the first of these; it stands for the others too. */
  const deliver = (told: readonly Waiting[]): Promise<void> => {
    cancelTimer();
    const [first] = told;
    if (first === undefined || sending !== undefined) {
      schedule();
      return flight;
    }
    for (const { news } of told) waiting.delete(news.uid);
    sending = { news: first.news, more: told.length - 1 + unnamed };
    unnamed = 0;
    triedMs = [...triedMs, timers.nowMs()];
    flight = send(sending);
    return flight;
  };

  const send = async (signal: Signal): Promise<void> => {
    try {
      await options.send(signal.news, signal.more);
      backOff.succeeded();
      notBeforeMs = 0;
    } catch (error) {
      const waitMs = backOff.failed();
      notBeforeMs = timers.nowMs() + waitMs;
      unnamed += signal.more;
      putBack(signal.news);
      options.onFailure(error, waitMs);
    } finally {
      sending = undefined;
      schedule();
    }
  };

  /** Before all others: it is overdue, and only the back-off holds it up. */
  const putBack = (news: NodeNews): void => {
    const newer = waiting.get(news.uid);
    const others = [...waiting].filter(([uid]) => uid !== news.uid);
    const lastMs = newer?.lastMs ?? timers.nowMs();
    waiting.clear();
    waiting.set(news.uid, {
      news: newer === undefined ? news : merged(news, newer.news),
      firstMs: Math.min(lastMs, timers.nowMs() - longestMs),
      lastMs,
    });
    for (const [uid, each] of others) waiting.set(uid, each);
  };

  return {
    add(news) {
      const nowMs = timers.nowMs();
      const before = waiting.get(news.uid);
      if (before === undefined && waiting.size >= mostNodes) unnamed += 1;
      else {
        waiting.set(news.uid, {
          news: before === undefined ? news : merged(before.news, news),
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
    remembered: () => waiting.size + (sending === undefined ? 0 : 1),
    isEmpty: () => waiting.size === 0 && sending === undefined,
  };
}

/** Both as one: the conditions as they are in the end. */
function merged(before: NodeNews, after: NodeNews): NodeNews {
  if (after.change !== 'changed') return after;
  const latest = [...before.conditions, ...after.conditions].map(
    (each) => [each.type, each] as const,
  );
  const change = before.change === 'appeared' ? 'appeared' : 'changed';
  return { ...after, change, conditions: [...new Map(latest).values()] };
}
