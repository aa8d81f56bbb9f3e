import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { forgetGroup, watchGroup } from './watchdog.ts';

/** One line about what is going on, for people. */
export type Progress = (line: string) => void;

export interface RunOptions {
  readonly workingFolder?: string;
  /** Replaces the environment. Default: that of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Told every line that the program prints on either stream. */
  readonly onLine?: Progress;
}

/** Runs a program to its end and gives its standard output; throws, with its output, unless it exits with 0. */
export const run = (
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.workingFolder,
      detached: true,
      env: options.env ?? process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const group = child.pid;
    if (group !== undefined) watchGroup(group);
    const out: string[] = [];
    const both: string[] = [];
    const listen = (stream: NodeJS.ReadableStream, isOutput: boolean): void => {
      createInterface({ input: stream }).on('line', (line) => {
        both.push(line);
        if (isOutput) out.push(line);
        options.onLine?.(line);
      });
    };
    listen(child.stdout, true);
    listen(child.stderr, false);
    child.once('error', (error) => reject(new Error(`${command}: ${error.message}`)));
    child.once('close', (code, signal) => {
      if (group !== undefined) forgetGroup(group);
      if (code === 0) return resolve(out.join('\n'));
      const said = both.slice(-40).join('\n');
      reject(new Error(`${command} ${args.join(' ')} failed (${signal ?? code}):\n${said}`));
    });
  });

/** Whether a program can be found and run at all. */
export const canRun = (command: string, ...args: readonly string[]): Promise<boolean> =>
  run(command, args).then(
    () => true,
    () => false,
  );
