import type { ApiAccess } from './api-access.ts';
import type { ApiClient } from './api-client.ts';

/** Clients of many clusters, with their connections, in the memory of one process. */
export interface KeptClients {
  /** Works with the client of `cluster`, made anew where `access` is another than the time before. */
  use<Result>(
    cluster: string,
    access: ApiAccess,
    work: (client: ApiClient) => Promise<Result>,
  ): Promise<Result>;
  close(): void;
}

interface KeptClient {
  readonly access: string;
  readonly client: ApiClient;
  users: number;
  /** Closed as soon as nobody uses it. */
  retired: boolean;
}

/**
 * Keeps the `most` clients used last: each holds up to four idle connections, and a function has 1,024 files. One
 * that is replaced or falls out is closed, with its connections, when the last who uses it is done.
 */
export function keptClients(
  make: (cluster: string, access: ApiAccess) => ApiClient,
  most = 100,
): KeptClients {
  /** In the order of last use. */
  const kept = new Map<string, KeptClient>();
  const retire = (cluster: string): void => {
    const entry = kept.get(cluster);
    kept.delete(cluster);
    if (entry === undefined) return;
    entry.retired = true;
    if (entry.users === 0) entry.client.close();
  };
  const entryOf = (cluster: string, access: ApiAccess): KeptClient => {
    const text = JSON.stringify(access);
    const before = kept.get(cluster);
    if (before?.access !== text) retire(cluster);
    const entry = kept.get(cluster) ?? {
      access: text,
      client: make(cluster, access),
      users: 0,
      retired: false,
    };
    kept.delete(cluster);
    kept.set(cluster, entry);
    const [oldest] = kept.keys();
    if (kept.size > most && oldest !== undefined) retire(oldest);
    return entry;
  };
  return {
    async use(cluster, access, work) {
      const entry = entryOf(cluster, access);
      entry.users += 1;
      try {
        return await work(entry.client);
      } finally {
        entry.users -= 1;
        if (entry.retired && entry.users === 0) entry.client.close();
      }
    },
    close() {
      for (const cluster of [...kept.keys()]) retire(cluster);
    },
  };
}
