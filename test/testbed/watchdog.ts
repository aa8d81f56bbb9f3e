import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/*
 * One small shell process per Node process. It outlives us by a moment and ends every process group that
 * we started and did not end ourselves: after a crash, after SIGKILL, after a closed terminal.
 */

let pipe: Writable | undefined;

/** Has a process group ended if this process dies first. */
export const watchGroup = (group: number): void => tell(`watch ${group}`);

/** To be called once the group has ended: its number may be given to somebody else. */
export const forgetGroup = (group: number): void => tell(`forget ${group}`);

const tell = (line: string): void => {
  pipe ??= startWatchdog();
  pipe.write(`${line}\n`);
};

const startWatchdog = (): Writable => {
  const script = fileURLToPath(new URL('./watchdog.sh', import.meta.url));
  const child = spawn('/bin/sh', [script], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.unref();
  // A pipe to a child is a socket at heart, which may not keep this process alive either.
  (child.stdin as unknown as { unref(): void }).unref();
  child.stdin.on('error', () => undefined);
  return child.stdin;
};
