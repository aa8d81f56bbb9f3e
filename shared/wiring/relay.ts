import { setTimeout as delay } from 'node:timers/promises';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { clientOptions } from '#adapters/aws/client-options.ts';
import { putHint } from '#adapters/aws/eventbridge-hints.ts';
import { checkApiAccess } from '#adapters/kubernetes/api-access.ts';
import { createApiClient } from '#adapters/kubernetes/api-client.ts';
import { type NodeChange, watchNodes } from '#adapters/kubernetes/node-watch.ts';
import { type PodChange, watchPods } from '#adapters/kubernetes/pod-watch.ts';
import type { RelaySettings } from '#config/relay-settings.ts';

export type { NodeChange, PodChange };

export const relayWatches = ['pods', 'nodes'] as const;
export type RelayWatch = (typeof relayWatches)[number];

/** The relay's two ends. */
export interface RelayEnds {
  /** Pods without a node, until `signal` is aborted. */
  pods(signal: AbortSignal): AsyncGenerator<PodChange, void, undefined>;
  /** Nodes, until `signal` is aborted. */
  nodes(signal: AbortSignal): AsyncGenerator<NodeChange, void, undefined>;
  /** Puts one event of this kind on the bus; rejects where the bus did not take it. */
  send(detailType: string, detail: object): Promise<void>;
  close(): void;
}

export interface RelayOptions {
  /** Of all its events. */
  readonly source: string;
  /** Called for every request to the API server. */
  readonly token: () => string;
  readonly onTrouble: (watch: RelayWatch, error: Error, waitMs: number) => void;
  readonly onWatching: (watch: RelayWatch, resourceVersion: string) => void;
  /** Called for every event and bookmark. */
  readonly onHeard: (watch: RelayWatch) => void;
}

/** Builds the relay's ends; throws a PortError where the settings name a server that is refused. */
export function wireRelay(settings: RelaySettings, options: RelayOptions): RelayEnds {
  const { server, ca, bus } = settings;
  const { source, token } = options;
  const access = checkApiAccess('API server', { server, ca, token: token() });
  const api = createApiClient(access, { token });
  const eventBridge = new EventBridgeClient(clientOptions);
  const watchOptions = (watch: RelayWatch, signal: AbortSignal) => ({
    signal,
    random: Math.random,
    sleep,
    onTrouble: (error: Error, waitMs: number) => options.onTrouble(watch, error, waitMs),
    onWatching: (resourceVersion: string) => options.onWatching(watch, resourceVersion),
    onHeard: () => options.onHeard(watch),
  });
  return {
    pods: (signal) => watchPods(api, watchOptions('pods', signal)),
    nodes: (signal) => watchNodes(api, watchOptions('nodes', signal)),
    send: (detailType, detail) => putHint(eventBridge, { bus, source, detailType }, detail),
    close() {
      api.close();
      eventBridge.destroy();
    },
  };
}

/** Ends early, without an error, when the signal is aborted. */
async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0) return;
  await delay(ms, undefined, { signal }).catch(() => {});
}
