import { mostPodsOfHint, type PodRef } from '#events/pod-pending.ts';
import { createBackOff } from './back-off.ts';
import type { Timers } from './timers.ts';

export interface HintBatcherOptions {
  readonly timers: Timers;
  /** Puts one batch on the bus; rejects where the bus did not take it. No pods: "look at the cluster". */
  readonly send: (pods: readonly PodRef[]) => Promise<void>;
  /** Uniform in [0, 1): full jitter on the back-off. */
  readonly random: () => number;
  /** Told of every batch that was not taken, and how long until it is sent again. */
  readonly onFailure: (error: unknown, waitMs: number) => void;
  /** Sent this long after the last pod seen. Default 200. */
  readonly quietMs?: number;
  /** Sent this long after the first pod seen, whatever follows. Default 2,000. */
  readonly longestMs?: number;
  /** Of more pods than this the batch names none. Default: the most that an event holds. */
  readonly mostPods?: number;
}

export interface HintBatcher {
  add(pod: PodRef): void;
  /** Sends what waits now, once; resolves when that is done, whether it worked or not. */
  flush(): Promise<void>;
  /** Pods remembered now, those being sent included. */
  remembered(): number;
  /** Whether there is a hint that the bus has not taken yet. */
  isEmpty(): boolean;
}

/** Pods by UID; one too many and only "there are some" is remembered. */
interface Batch {
  readonly pods: Map<string, PodRef>;
  overflown: boolean;
}

/**
 * Gathers pods into hints. A batch goes out when no pod has been added for `quietMs`, or `longestMs` after its first,
 * one at a time. It is kept until the bus has taken it: one that is refused joins what has come since
 * and is sent again after a back-off with full jitter. At most twice `mostPods` are remembered: one batch
 * on its way and one that waits.
 */
export function createHintBatcher(options: HintBatcherOptions): HintBatcher {
  const { timers } = options;
  const quietMs = options.quietMs ?? 200;
  const longestMs = options.longestMs ?? 2_000;
  const mostPods = options.mostPods ?? mostPodsOfHint;
  const backOff = createBackOff(options.random);

  let waiting: Batch | undefined;
  let sending: Batch | undefined;
  let flight = Promise.resolve();
  let firstMs = 0;
  let lastMs = 0;
  let notBeforeMs = 0;
  let cancelTimer = () => {};

  const put = (pods: Iterable<PodRef>, overflown: boolean): void => {
    waiting ??= { pods: new Map(), overflown: false };
    waiting.overflown ||= overflown;
    for (const pod of pods) if (!waiting.overflown) waiting.pods.set(pod.uid, pod);
    if (waiting.pods.size > mostPods) waiting.overflown = true;
    if (waiting.overflown) waiting.pods.clear();
  };

  const schedule = (): void => {
    cancelTimer();
    if (waiting === undefined || sending !== undefined) return;
    const dueMs = Math.max(Math.min(lastMs + quietMs, firstMs + longestMs), notBeforeMs);
    cancelTimer = timers.after(Math.max(0, dueMs - timers.nowMs()), () => void dispatch());
  };

  const dispatch = (): Promise<void> => {
    cancelTimer();
    if (waiting === undefined || sending !== undefined) return flight;
    sending = waiting;
    waiting = undefined;
    flight = deliver(sending);
    return flight;
  };

  const deliver = async (batch: Batch): Promise<void> => {
    try {
      await options.send([...batch.pods.values()]);
      backOff.succeeded();
      notBeforeMs = 0;
    } catch (error) {
      const waitMs = backOff.failed();
      notBeforeMs = timers.nowMs() + waitMs;
      const newer = [...(waiting?.pods.values() ?? [])];
      // Older pods first: of too many, the newest are the ones that an event names.
      const overflown = waiting?.overflown ?? false;
      waiting = undefined;
      put([...batch.pods.values(), ...newer], batch.overflown || overflown);
      // What was refused is overdue: only the back-off holds it up.
      firstMs = Math.min(firstMs, timers.nowMs() - longestMs);
      options.onFailure(error, waitMs);
    } finally {
      sending = undefined;
      schedule();
    }
  };

  return {
    add(pod) {
      lastMs = timers.nowMs();
      if (waiting === undefined) firstMs = lastMs;
      put([pod], false);
      schedule();
    },
    async flush() {
      // What is on its way may come back; it is then sent once more with the rest.
      await flight;
      await dispatch();
    },
    remembered: () => (waiting?.pods.size ?? 0) + (sending?.pods.size ?? 0),
    isEmpty: () => waiting === undefined && sending === undefined,
  };
}
