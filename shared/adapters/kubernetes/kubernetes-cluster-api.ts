import type { PodEvent } from '#cluster/pod-event.ts';
import type { Problem } from '#cluster/problem.ts';
import type { ClusterSnapshot, SnapshotKind, ViewOf } from '#cluster/snapshot.ts';
import type { ClusterApi } from '#ports/cluster-api.ts';
import { PortError } from '#ports/port-error.ts';
import type { ApiClient } from './api-client.ts';
import { apiStatusOf, isNotAuthenticated } from './api-error.ts';
import { type ClusterList, clusterLists } from './cluster-lists.ts';
import { followObjects } from './follow-objects.ts';
import type { KnownCluster } from './known-clusters.ts';
import { type KnownObjects, listObjects, type ReadKind, readKnown } from './known-objects.ts';
import { podEventObject } from './pod-event.ts';

export interface ClusterApiOptions {
  /** Objects of the look before, brought up to date where that can be proven. Absent: each look lists all. */
  readonly known?: KnownCluster;
  /** Kinds with fewer objects are listed each time, which takes no longer. Default 1,500. */
  readonly followFrom?: number;
  /** Default: the process's clock. */
  readonly nowMs?: () => number;
  /**
   * Of one snapshot, all its lists together. Default 22,000: as much as a function of 30 s has for a cluster
   * of the design point, and an end for a server that lets each page drip.
   */
  readonly snapshotMs?: number;
}

/** Objects are listed anew at least so often, whatever the watches said. */
const longestFollowedMs = 10 * 60_000;

/** The API server of one cluster, read and told through `client`. */
export function kubernetesClusterApi(
  client: ApiClient,
  options: ClusterApiOptions = {},
): ClusterApi {
  const nowMs = options.nowMs ?? Date.now;
  const snapshotMs = options.snapshotMs ?? 22_000;
  return {
    async snapshot() {
      const late = new AbortController();
      const timer = setTimeout(
        () => late.abort(new PortError('timeout', `the snapshot took more than ${snapshotMs} ms`)),
        snapshotMs,
      );
      const look: Look = { client, options, signal: late.signal, nowMs: nowMs() };
      try {
        return await readSnapshot(look);
      } finally {
        clearTimeout(timer);
        // One list that failed ends the others.
        late.abort(new PortError('unavailable', 'another list of the same snapshot failed'));
      }
    },

    async postPodEvent(event: PodEvent): Promise<void> {
      const path = `/apis/events.k8s.io/v1/namespaces/${encodeURIComponent(event.namespace)}/events`;
      try {
        await client.post(path, podEventObject(event));
      } catch (error) {
        // The same word was said before: the name is derived from it.
        if (apiStatusOf(error)?.reason !== 'AlreadyExists') throw error;
      }
    },
  };
}

interface Look {
  readonly client: ApiClient;
  readonly options: ClusterApiOptions;
  readonly signal: AbortSignal;
  readonly nowMs: number;
}

/** As many lists are read at a time as connections are kept. */
const sideBySide = 4;

async function readSnapshot(look: Look) {
  const waiting = [...clusterLists];
  const kinds = new Map<SnapshotKind, ReadKind<SnapshotKind>>();
  const readNext = async (): Promise<void> => {
    for (let list = waiting.shift(); list !== undefined; list = waiting.shift()) {
      kinds.set(list.key, await readKind(look, list));
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, readNext));
  const viewsOf = <Key extends SnapshotKind>(key: Key): readonly ViewOf<Key>[] =>
    // Put in under the same key.
    (kinds.get(key)?.views ?? []) as readonly ViewOf<Key>[];
  const others = clusterLists
    .filter(({ key, optional }) => optional && viewsOf(key).length > 0)
    .map(({ key }) => [key, viewsOf(key)] as const);
  return {
    snapshot: {
      nodes: viewsOf('nodes'),
      pods: viewsOf('pods'),
      daemonSets: viewsOf('daemonSets'),
      leases: viewsOf('leases'),
      ...Object.fromEntries(others),
    } satisfies ClusterSnapshot,
    problems: clusterLists.flatMap(({ key }) => kinds.get(key)?.problems ?? []),
  };
}

async function readKind<Kind extends SnapshotKind>(
  look: Look,
  list: ClusterList<Kind>,
): Promise<ReadKind<Kind>> {
  try {
    return await readObjectsOf(look, list);
  } catch (error) {
    if (!list.optional || !isRefused(error)) throw error;
    return { views: [], problems: [refusedProblem(list)], followable: false };
  }
}

/** Not that the API server does not know who asks: with another token it may answer. */
const isRefused = (error: unknown): boolean =>
  error instanceof PortError &&
  (error.code === 'notFound' || (error.code === 'forbidden' && !isNotAuthenticated(error)));

const refusedProblem = ({ plural, apiVersion }: ClusterList): Problem => ({
  field: plural,
  code: 'notListed',
  message: `the API server does not list ${plural} (${apiVersion}) for Outrider: pods are judged as if there were none; kubectl apply -f infra/rbac/outrider-read.yaml`,
});

async function readObjectsOf<Kind extends SnapshotKind>(look: Look, list: ClusterList<Kind>) {
  const memory = list.followed ? look.options.known : undefined;
  const before = memory?.take(list.key);
  const known =
    (before && (await broughtUpToDate(look, list, before))) ??
    (await listObjects(look.client, list, look));
  const read = readKnown(list, known);
  const large = known.objects.size >= (look.options.followFrom ?? 1_500);
  if (large && read.followable) memory?.put(list.key, known);
  return read;
}

const broughtUpToDate = async <Kind extends SnapshotKind>(
  look: Look,
  list: ClusterList<Kind>,
  before: KnownObjects<Kind>,
): Promise<KnownObjects<Kind> | undefined> => {
  const ageMs = look.nowMs - before.listedAtMs;
  if (ageMs < 0 || ageMs > longestFollowedMs) return undefined;
  return await followObjects(look.client, list, before, look.signal);
};
