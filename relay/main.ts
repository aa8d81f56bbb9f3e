import { readFileSync } from 'node:fs';
import { type RelaySettings, readRelaySettings, relayUsage } from '#config/relay-settings.ts';
import { podPendingDetailType, podPendingSourcePrefix } from '#events/pod-pending.ts';
import { type RelayEnds, wireRelay } from '#wiring/relay.ts';
import { followPods } from './follow-pods.ts';
import { createHintBatcher } from './hint-batcher.ts';
import { log } from './log.ts';
import { createNewPods } from './new-pods.ts';
import { podHint } from './pod-hint.ts';
import { realTimers } from './timers.ts';
import { createTokenFile } from './token-file.ts';

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

function connect(settings: RelaySettings): RelayEnds {
  try {
    return wireRelay(settings, {
      event: {
        source: podPendingSourcePrefix + settings.cluster,
        detailType: podPendingDetailType,
      },
      token: tokenOf(settings),
      onTrouble: (error, waitMs) =>
        log('warn', 'watch interrupted', { error: error.message, waitMs }),
      onWatching: (resourceVersion) => log('info', 'watching', { resourceVersion }),
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
  const ends = connect(settings);
  const { cluster, network, bus } = settings;
  const batcher = createHintBatcher({
    timers: realTimers,
    random: Math.random,
    send: async (pods) => {
      await ends.send(podHint(settings, pods));
      log('info', 'hint sent', { pods: pods.length });
    },
    onFailure: (error, waitMs) =>
      log('warn', 'hint not taken', { error: (error as Error).message, waitMs }),
  });

  const ending = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      log('info', 'ending', { signal });
      ending.abort();
    });
  }

  log('info', 'starting', { cluster, network, bus, server: settings.server });
  await followPods(ends.changes(ending.signal), createNewPods(), batcher.add);

  realTimers.after(lastFlushMs, () => end(1));
  await batcher.flush();
  ends.close();
  end(batcher.isEmpty() ? 0 : 1);

  function end(code: 0 | 1): never {
    log(code === 0 ? 'info' : 'warn', 'ended', { hintLost: !batcher.isEmpty() });
    process.exit(code);
  }
}
