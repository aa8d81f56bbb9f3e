import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Child, startChild } from './child.ts';
import type { Testbed } from './testbed.ts';

/** Whose hints a relay sends, and where. */
export interface RelayOf {
  readonly cluster: string;
  readonly network: string;
  readonly bus: string;
  /** As whom it speaks to AWS, where it is not the account's root. */
  readonly credentials?: Readonly<Record<string, string>>;
}

/** The relay as a process of its own, under the service account and the RBAC that the project ships. */
export const startRelay = async (
  testbed: Testbed,
  { cluster, network, bus, credentials }: RelayOf,
): Promise<Child> => {
  const { controlPlane, emulator } = testbed;
  const folder = mkdtempSync(join(tmpdir(), 'outrider-relay-'));
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const token = await controlPlane.serviceAccountToken('outrider', 'outrider-relay');
  const log = join(folder, 'relay.log');
  const relay = startChild({
    name: 'relay',
    command: process.execPath,
    args: [
      fileURLToPath(new URL('../../relay/main.ts', import.meta.url)),
      ...['--cluster', cluster, '--network', network, '--bus', bus],
      ...['--server', controlPlane.server, '--ca-file', file('ca.pem', controlPlane.ca)],
      ...['--token-file', file('token', token)],
    ],
    env: { ...emulator.env, ...credentials },
    logFile: log,
  });
  const watches = ['pods', 'nodes'].map((watch) => `"message":"watching","watch":"${watch}"`);
  await relay.waitUntil(async () => {
    const lines = readFileSync(log, 'utf8');
    return watches.every((watch) => lines.includes(watch));
  }, 60_000);
  return relay;
};
