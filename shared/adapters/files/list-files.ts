import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Problem } from '#cluster/problem.ts';
import { PortError } from '#ports/port-error.ts';

export interface ListedFile {
  readonly path: string;
  /** As people know it: relative to the folder that they named. */
  readonly name: string;
}

const deepest = 4;
const most = 2000;

/** A system error in people's words. */
export const systemError = (error: unknown): string => {
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  if (code === 'EACCES' || code === 'EPERM') return 'may not be read: change its permissions';
  if (code === 'ENOENT') return 'does not exist: name an existing file or folder';
  if (code === 'EISDIR') return 'is a folder: name a file in it';
  return `cannot be read (${code ?? message ?? String(error)})`;
};

/**
 * The files of a folder, by name, and then those of the folders in it; hidden ones are passed over. A
 * folder that links lead to again is read once. A file stands for itself. Throws `notFound` where there is nothing, `invalid` where it may not be read.
 */
export const listFiles = async (
  path: string,
): Promise<{ readonly files: readonly ListedFile[]; readonly problems: readonly Problem[] }> => {
  const problems: Problem[] = [];
  const files: ListedFile[] = [];
  const visited = new Set<string>();
  const walk = async (folder: string, prefix: string, level: number): Promise<void> => {
    const real = await realpath(folder);
    if (visited.has(real)) return;
    visited.add(real);
    const folders: ListedFile[] = [];
    const entries = (await readdir(folder)).filter((name) => !name.startsWith('.')).sort();
    for (const entry of entries) {
      const inside = join(folder, entry);
      const name = `${prefix}${entry}`;
      try {
        const found = await stat(inside);
        if (files.length >= most) {
          problems.push({ file: name, code: 'tooMany', message: `more than ${most} files` });
          return;
        }
        if (found.isFile()) files.push({ path: inside, name });
        else if (found.isDirectory()) folders.push({ path: inside, name });
        else problems.push({ file: name, code: 'notAFile', message: 'is no file: leave it out' });
      } catch (error) {
        problems.push({ file: name, code: 'unreadable', message: systemError(error) });
      }
    }
    for (const { path: inside, name } of folders) await descend(inside, name, level);
  };
  const descend = async (folder: string, name: string, level: number): Promise<void> => {
    try {
      if (level < deepest) await walk(folder, `${name}/`, level + 1);
      else if (!visited.has(await realpath(folder))) {
        const message = `is deeper than ${deepest} folders: move its files up`;
        problems.push({ file: name, code: 'tooDeep', message });
      }
    } catch (error) {
      problems.push({ file: name, code: 'unreadable', message: systemError(error) });
    }
  };
  try {
    if ((await stat(path)).isDirectory()) await walk(path, '', 1);
    else files.push({ path, name: path });
  } catch (error) {
    const code = (error as { readonly code?: string }).code === 'ENOENT' ? 'notFound' : 'invalid';
    throw new PortError(code, `${path} ${systemError(error)}`, { cause: error });
  }
  return { files, problems };
};
