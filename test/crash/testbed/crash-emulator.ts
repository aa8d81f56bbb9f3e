import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AwsEmulator, startAwsEmulator } from '../../testbed/aws-emulator.ts';
import { testbedAvailable } from '../../testbed/testbed.ts';

/** Where a world of the test bed writes, until the process ends; throws one line where the test bed cannot run here. */
export const crashSettings = async () => {
  const missing = await testbedAvailable();
  if (missing !== undefined) throw new Error(missing);
  const folder = mkdtempSync(join(tmpdir(), 'outrider-crash-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return { folder, progress: () => {} };
};

/** The emulated account in which cases are played: rights are injected errors there, and no launch is retried. */
export const startCrashEmulator = async (
  settings: Awaited<ReturnType<typeof crashSettings>>,
): Promise<AwsEmulator> =>
  startAwsEmulator({ ...settings, enforceIam: false, launchRetrySeconds: 60 });
