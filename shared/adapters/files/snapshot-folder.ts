import { appendFile, lstat, mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { SnapshotFolder, SnapshotFolders } from '#ports/live-recording.ts';
import { PortError } from '#ports/port-error.ts';

/**
 * Folders for recordings: written beside the place asked for, under a name that begins with a dot, and renamed when
 * all is there. Only their owner may read them: a cluster's shape is nobody else's business.
 */
export const snapshotFolders: SnapshotFolders = {
  async create(path) {
    const place = resolve(path);
    await refuseTaken(path, place);
    // Made with mode 0700. Its parent must be there: making folders on the way hides a mistyped path.
    const folder = await making(path, () =>
      mkdtemp(join(dirname(place), `.${basename(place)}.partial-`)),
    );
    return writableFolder({ path, place, folder });
  },
};

const writableFolder = (at: {
  readonly path: string;
  readonly place: string;
  readonly folder: string;
}): SnapshotFolder => ({
  async append(file, content) {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    await making(at.path, () => appendFile(join(at.folder, file), `${text}\n`, { mode: 0o600 }));
  },
  async commit() {
    // Renaming would take the place of an empty folder that has come meanwhile.
    await refuseTaken(at.path, at.place);
    await making(at.path, () => rename(at.folder, at.place));
  },
  async discard() {
    await rm(at.folder, { recursive: true, force: true });
  },
});

const refuseTaken = async (path: string, place: string): Promise<void> => {
  try {
    await lstat(place);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw cannotBeWritten(path, error);
  }
  throw new PortError('invalid', `${path} is there already: name a folder that is not`);
};

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left there',
  ENOENT: 'the folder that it is to be in does not exist',
  ENOTDIR: 'what it is to be in is no folder',
  ENAMETOOLONG: 'its name is too long',
  EACCES: 'this user may not write there',
  EROFS: 'nothing can be written there',
};

const making = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw cannotBeWritten(path, error);
  }
};

const cannotBeWritten = (path: string, error: unknown): PortError => {
  const { code } = error as NodeJS.ErrnoException;
  const why = (code && reasons[code]) ?? code ?? String(error);
  return new PortError('invalid', `${path} cannot be written: ${why}; name another place`, {
    cause: error,
  });
};
