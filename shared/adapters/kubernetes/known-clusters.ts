import type { SnapshotKind } from '#cluster/snapshot.ts';
import type { KnownObjects } from './known-objects.ts';

type Kind = SnapshotKind;

/** What one process remembers of one cluster between two looks. */
export interface KnownCluster {
  /** Hands it over: whoever looks at the same time finds nothing, and lists. */
  take<K extends Kind>(key: K): KnownObjects<K> | undefined;
  put<K extends Kind>(key: K, known: KnownObjects<K>): void;
}

export interface KnownClusters {
  of(cluster: string): KnownCluster;
  /** Objects kept, of all clusters. */
  size(): number;
}

/**
 * Objects of large clusters, in the memory of the process. At most `mostObjects` are kept (some 1.5 KB each): the
 * clusters looked at longest ago are forgotten first, one that alone has more is not kept.
 */
export function knownClusters(mostObjects = 250_000): KnownClusters {
  /** In the order of the last look. */
  const kept = new Map<string, Map<Kind, KnownObjects>>();
  const size = (): number => {
    let sum = 0;
    for (const kinds of kept.values())
      for (const { objects } of kinds.values()) sum += objects.size;
    return sum;
  };
  const kindsOf = (cluster: string): Map<Kind, KnownObjects> => {
    const kinds = kept.get(cluster) ?? new Map<Kind, KnownObjects>();
    kept.delete(cluster);
    kept.set(cluster, kinds);
    return kinds;
  };
  return {
    size,
    of: (cluster) => ({
      take<K extends Kind>(key: K) {
        const known = kept.get(cluster)?.get(key);
        kept.get(cluster)?.delete(key);
        // Put in under the same key.
        return known as KnownObjects<K> | undefined;
      },
      put(key, known) {
        kindsOf(cluster).set(key, known);
        while (size() > mostObjects) {
          const [oldest = cluster] = kept.keys();
          kept.delete(oldest);
        }
      },
    }),
  };
}
