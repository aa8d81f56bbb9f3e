import { readFileSync } from 'node:fs';
import { type RelaySettings, readRelaySettings, relayUsage } from '#config/relay-settings.ts';
import { clusterSourceOf } from '#events/cluster-source.ts';
import { type RelayEnds, type RelayWatch, relayWatches, wireRelay } from '#wiring/relay.ts';
import { startHealthServer } from './health-server.ts';
import { log } from './log.ts';
import { runRelay } from './run-relay.ts';
import { realTimers } from './timers.ts';
import { createTokenFile } from './token-file.ts';
import { createWatchHealth, type WatchHealth } from './watch-health.ts';

/** How long the last hints may take when the relay is told to end; pods are killed after 30 s. */
const lastFlushMs = 10_000;

const settings = readSettings();
if (settings === undefined) process.stdout.write(`${relayUsage}\n`);
else await run(settings);

function readSettings(): RelaySettings | undefined {
  try {
    return readRelaySettings(process.argv.slice(2));
  } catch (error) {
    return refuse(error);
  }
}

function refuse(error: unknown): never {
  process.stderr.write(`outrider relay: ${(error as Error).message}\n`);
  process.exit(2);
}

function connect(settings: RelaySettings, health: WatchHealth<RelayWatch>): RelayEnds {
  try {
    return wireRelay(settings, {
      source: clusterSourceOf(settings.cluster),
      token: tokenOf(settings),
      onTrouble: (watch, error, waitMs) =>
        log('warn', 'watch interrupted', { watch, error: error.message, waitMs }),
      onWatching: (watch, resourceVersion) => log('info', 'watching', { watch, resourceVersion }),
      onHeard: health.heard,
    });
  } catch (error) {
    return refuse(error);
  }
}

function tokenOf({ token }: RelaySettings): () => string {
  if ('value' in token) return () => token.value;
  return createTokenFile(token.file, (path) => readFileSync(path, 'utf8'), realTimers.nowMs);
}

async function run(settings: RelaySettings): Promise<void> {
  const health = createWatchHealth(relayWatches, realTimers);
  const ends = connect(settings, health);
  if (settings.health !== undefined) {
    await startHealthServer(settings.health, health.silent).catch(refuse);
  }
  const ending = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      log('info', 'ending', { signal });
      ending.abort();
    });
  }

  const { cluster, network, bus, server } = settings;
  log('info', 'starting', { cluster, network, bus, server });
  const ended = await runRelay({
    ends,
    cluster,
    network,
    timers: realTimers,
    random: Math.random,
    now: () => new Date().toISOString(),
    silent: health.silent,
    log,
    signal: ending.signal,
  });
  realTimers.after(lastFlushMs, () => end(false));
  const allTaken = await ended.flush();
  ends.close();
  end(allTaken);
}

function end(allTaken: boolean): never {
  log(allTaken ? 'info' : 'warn', 'ended', { hintLost: !allTaken });
  process.exit(allTaken ? 0 : 1);
}
