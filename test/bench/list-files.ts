import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiClient } from '#adapters/kubernetes/api-client.ts';

/** The pages of a list: the path in the API, and the object's JSON text page by page. */
export interface WrittenList {
  readonly files: readonly string[];
  readonly objects: number;
  readonly bytes: number;
}

const pageSize = 500;

/** Writes the objects as pages of an API server's list, holding one page at a time. */
export const writeList = (
  folder: string,
  name: string,
  objects: Iterable<unknown>,
): WrittenList => {
  const files: string[] = [];
  let count = 0;
  let bytes = 0;
  let items: unknown[] = [];
  const close = (more: boolean): void => {
    const metadata = more ? { continue: String(files.length + 1) } : {};
    const text = JSON.stringify({ metadata: { resourceVersion: '1', ...metadata }, items });
    const file = join(folder, `${name}-${files.length}.json`);
    writeFileSync(file, text);
    files.push(file);
    bytes += Buffer.byteLength(text);
    items = [];
  };
  for (const object of objects) {
    if (items.length === pageSize) close(true);
    items.push(object);
    count += 1;
  }
  close(false);
  return { files, objects: count, bytes };
};

/** Answers lists from files, as text that is parsed anew each time; it takes nothing else. */
export const clientOfFiles = (lists: Readonly<Record<string, WrittenList>>): ApiClient => {
  const refuse = () => {
    throw new Error('only lists are here');
  };
  return {
    async get(path, query = {}) {
      const file = lists[path]?.files[Number(query.continue ?? 0)];
      if (file === undefined) throw new Error(`no such list: ${path}`);
      return JSON.parse(readFileSync(file, 'utf8'));
    },
    post: refuse,
    lines: refuse,
    close: () => undefined,
  };
};
