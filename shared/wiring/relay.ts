import { setTimeout as delay } from 'node:timers/promises';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { clientOptions } from '#adapters/aws/client-options.ts';
import { putHint } from '#adapters/aws/eventbridge-hints.ts';
import { checkApiAccess } from '#adapters/kubernetes/api-access.ts';
import { createApiClient } from '#adapters/kubernetes/api-client.ts';
import { type PodChange, watchPods } from '#adapters/kubernetes/pod-watch.ts';
import type { RelaySettings } from '#config/relay-settings.ts';

export type { PodChange };

/** The relay's two ends. */
export interface RelayEnds {
  /** Pods without a node, until `signal` is aborted. */
  changes(signal: AbortSignal): AsyncGenerator<PodChange, void, undefined>;
  /** Puts one hint with this detail on the bus; rejects where the bus did not take it. */
  send(detail: object): Promise<void>;
  close(): void;
}

export interface RelayOptions {
  /** How its hints are named on the bus. */
  readonly event: { readonly source: string; readonly detailType: string };
  /** Called for every request to the API server. */
  readonly token: () => string;
  readonly onTrouble: (error: Error, waitMs: number) => void;
  readonly onWatching: (resourceVersion: string) => void;
}

/** Builds the relay's ends; throws a PortError where the settings name a server that is refused. */
export function wireRelay(settings: RelaySettings, options: RelayOptions): RelayEnds {
  const { server, ca, bus } = settings;
  const access = checkApiAccess('API server', { server, ca, token: options.token() });
  const api = createApiClient(access, { token: options.token });
  const eventBridge = new EventBridgeClient(clientOptions);
  const source = { bus, ...options.event };
  return {
    changes: (signal) =>
      watchPods(api, {
        signal,
        random: Math.random,
        sleep,
        onTrouble: options.onTrouble,
        onWatching: options.onWatching,
      }),
    send: (detail) => putHint(eventBridge, source, detail),
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
