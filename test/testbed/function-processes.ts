import { readdirSync, readFileSync } from 'node:fs';

/**
 * Process ids of a function's environments, as children of the emulator: by `/proc`, so on Linux only. Each is
 * known by the function's name in its own environment; one that ends meanwhile is left out.
 */
export const functionProcesses = (emulatorPid: number, functionName: string): readonly number[] =>
  childrenOf(emulatorPid).filter((pid) => {
    try {
      const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
      return variables.includes(`AWS_LAMBDA_FUNCTION_NAME=${functionName}`);
    } catch {
      return false;
    }
  });

/** A thread's children are those that it started; the emulator starts functions from many. */
const childrenOf = (pid: number): readonly number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
    try {
      const text = readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8');
      return text.split(' ').filter(Boolean).map(Number);
    } catch {
      return [];
    }
  });
