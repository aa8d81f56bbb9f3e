import { type HeartbeatDetail, heartbeatDetailType } from '#events/heartbeat.ts';
import { nodeSignalDetailType } from '#events/node-signal.ts';
import { podPendingDetailType } from '#events/pod-pending.ts';
import type { RelayEnds } from '#wiring/relay.ts';
import { createBatcher } from './batcher.ts';
import { startHeartbeat } from './heartbeat.ts';
import type { log } from './log.ts';
import { createNewPods } from './new-pods.ts';
import { createNodeChanges } from './node-changes.ts';
import { nodeBatching, nodeSignal } from './node-signal.ts';
import { podBatching, podHint } from './pod-hint.ts';
import type { Timers } from './timers.ts';

export interface RelayParts {
  readonly ends: Pick<RelayEnds, 'pods' | 'nodes' | 'send'>;
  readonly cluster: string;
  readonly network: string;
  readonly timers: Timers;
  /** Uniform in [0, 1): jitter. */
  readonly random: () => number;
  /** The time as a heartbeat says it: ISO 8601, UTC. */
  readonly now: () => string;
  /** The watches that are told nothing. */
  readonly silent: () => readonly string[];
  readonly log: typeof log;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** The relay after its watches have ended. */
export interface EndedRelay {
  /** Sends what waits, once; gives whether the bus has taken it all. */
  flush(): Promise<boolean>;
}

/** Follows pods and nodes, tells the bus of them and beats, until `signal` is aborted. */
export async function runRelay(parts: RelayParts): Promise<EndedRelay> {
  const { ends, timers, random, signal, log } = parts;
  const names = { cluster: parts.cluster, network: parts.network };
  const notTaken = (what: string) => (error: unknown, waitMs?: number) =>
    log('warn', `${what} not taken`, { error: (error as Error).message, waitMs });

  const hints = createBatcher({
    timers,
    random,
    batching: podBatching(),
    send: async (pods) => {
      await ends.send(podPendingDetailType, podHint(names, pods));
      log('info', 'hint sent', { pods: pods.length });
    },
    onFailure: notTaken('hint'),
  });
  const signals = createBatcher({
    timers,
    random,
    batching: nodeBatching,
    send: async (news, more) => {
      await ends.send(nodeSignalDetailType, nodeSignal(names, news, more));
      log('info', 'node signal sent', { node: news.node, change: news.change, more });
    },
    onFailure: notTaken('node signal'),
  });
  const endHeartbeat = startHeartbeat({
    timers,
    silent: parts.silent,
    send: () => {
      const detail: HeartbeatDetail = { ...names, sentAt: parts.now() };
      return ends.send(heartbeatDetailType, detail);
    },
    onFailure: notTaken('heartbeat'),
    onSilence: (watches) => log('warn', 'no heartbeat: a watch is told nothing', { watches }),
  });

  const followPods = async (): Promise<void> => {
    const newPods = createNewPods();
    for await (const change of ends.pods(signal)) {
      for (const pod of newPods.note(change)) hints.add([pod]);
    }
  };
  const followNodes = async (): Promise<void> => {
    const nodeChanges = createNodeChanges();
    for await (const change of ends.nodes(signal)) {
      for (const news of nodeChanges.note(change)) signals.add(news);
    }
  };
  await Promise.all([followPods(), followNodes()]);
  endHeartbeat();
  return {
    async flush() {
      await Promise.all([hints.flush(), signals.flush()]);
      return hints.isEmpty() && signals.isEmpty();
    },
  };
}
