import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { forgetGroup, watchGroup } from './watchdog.ts';

/** How to start one server of the test bed. */
export interface ChildCommand {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly workingFolder?: string;
  readonly logFile: string;
}

/** A running server: the leader of a process group of its own, its output in a file. */
export interface Child {
  readonly name: string;
  readonly pid: number;
  /** Polls until `ready` says so; throws, with the end of the log, if the process ends or time is up. */
  waitUntil(ready: () => Promise<boolean>, limitMs: number): Promise<void>;
  /** SIGTERM, then SIGKILL to whatever of the group is left after `graceMs`. */
  stop(graceMs?: number): Promise<void>;
}

const logTailLines = 25;

/** Starts a server. It ends with this process, even if that is killed. */
export const startChild = (how: ChildCommand): Child => {
  const log = openSync(how.logFile, 'a');
  const child = spawn(how.command, how.args, {
    cwd: how.workingFolder,
    detached: true,
    env: how.env ?? {},
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.unref();

  let ending: string | undefined;
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      ending = error.message;
      resolve();
    });
    child.once('exit', (code, signal) => {
      ending = signal === null ? `exit code ${code}` : `signal ${signal}`;
      resolve();
    });
  });
  const pid = child.pid ?? 0;
  if (pid > 0) watchGroup(pid);

  const failure = (what: string): Error =>
    new Error(`${how.name} ${what}. The end of ${how.logFile}:\n${tailOf(how.logFile)}`);

  return {
    name: how.name,
    pid,
    waitUntil: async (ready, limitMs) => {
      const deadline = Date.now() + limitMs;
      while (!(await ready().catch(() => false))) {
        if (ending !== undefined) throw failure(`ended (${ending}) before it was ready`);
        if (Date.now() > deadline) throw failure(`was not ready after ${limitMs / 1000} s`);
        await sleep(50);
      }
    },
    stop: async (graceMs = 5000) => {
      if (pid === 0) return;
      // From here on its end is waited for, so it counts again for this process's own life.
      child.ref();
      signalGroup(pid, 'SIGTERM');
      await Promise.race([ended, sleep(graceMs, undefined, { ref: false })]);
      signalGroup(pid, 'SIGKILL');
      await ended;
      forgetGroup(pid);
    },
  };
};

const signalGroup = (group: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(-group, signal);
  } catch (error) {
    // Gone already: what we wanted.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

const tailOf = (file: string): string =>
  readFileSync(file, 'utf8').trimEnd().split('\n').slice(-logTailLines).join('\n');
