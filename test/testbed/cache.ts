import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where what is slow to make is kept between runs: `OUTRIDER_CACHE`, else `~/.cache/outrider`. */
export const cacheRoot = (): string =>
  process.env.OUTRIDER_CACHE ?? join(homedir(), '.cache', 'outrider');

/** A short digest of files and words that a cached thing is made from. */
export const digestOf = (files: readonly string[], ...words: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(file)).update('\0');
  for (const word of words) hash.update(word).update('\0');
  return hash.digest('hex').slice(0, 16);
};

/**
 * The folder `name` of the cache, made by `make` where it is not there yet. It appears whole or not at
 * all: it is made beside its place and then renamed, so two runs at once do not disturb each other.
 */
export const cachedFolder = async (
  name: string,
  make: (folder: string) => Promise<void>,
): Promise<string> => {
  const folder = join(cacheRoot(), name);
  if (existsSync(folder)) return folder;
  const partial = `${folder}.partial-${process.pid}`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  try {
    await make(partial);
    if (!existsSync(folder)) renameSync(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  return folder;
};
