import { clusterKinds } from '#cluster/cluster-kinds.ts';
import { priorityConfigMap } from '#cluster/read-config-map.ts';
import type { SnapshotKind } from '#cluster/snapshot.ts';
import type { ListRequest } from './list-pages.ts';

/** A kind of objects that a snapshot holds, and how the API server lists them. */
export interface ClusterList<Kind extends SnapshotKind = SnapshotKind> extends ListRequest {
  readonly key: Kind;
  /** Of the list: `PodList`. */
  readonly kind: string;
  readonly apiVersion: string;
  /** In the API: `pods`. */
  readonly plural: string;
  /** May be many, and is listed without a selector: its changes can be followed and counted. */
  readonly followed: boolean;
  /** Without it most pods are judged as well: that it is refused is a problem, and no failure. */
  readonly optional: boolean;
}

/** Fewer, larger pages cost the API server less: 1,000 pods are some 3 MB, 20 MB where they are fat. */
const pageSize = 1_000;

interface ListOptions {
  readonly followed?: boolean;
  readonly optional?: boolean;
  /** Lists this namespace alone. */
  readonly namespace?: string;
  readonly query?: ListRequest['query'];
}

function listOf<Key extends SnapshotKind>(
  key: Key,
  apiVersion: string,
  { followed = false, optional = false, namespace, query }: ListOptions = {},
): ClusterList<Key> {
  const { kind, plural } = clusterKinds[key];
  const within = namespace === undefined ? '' : `namespaces/${namespace}/`;
  const root = apiVersion.includes('/') ? '/apis' : '/api';
  return {
    key,
    kind: `${kind}List`,
    apiVersion,
    plural,
    path: `${root}/${apiVersion}/${within}${plural}`,
    ...(query === undefined ? {} : { query }),
    pageSize,
    followed,
    optional,
  };
}

const followed = true;
const optional = true;

/**
 * Every list of a snapshot, the long ones first, since they are read side by side. RBAC of the identity: list on
 * these, watch on those that are followed, create on events.k8s.io events (infra/rbac/outrider-read.yaml).
 */
export const clusterLists: readonly ClusterList[] = [
  listOf('pods', 'v1', { followed }),
  listOf('nodes', 'v1', { followed }),
  listOf('claims', 'v1', { followed, optional }),
  listOf('volumes', 'v1', { followed, optional }),
  listOf('csiNodes', 'storage.k8s.io/v1', { followed, optional }),
  listOf('daemonSets', 'apps/v1'),
  // Each node renews a Lease in kube-node-lease every ten seconds: thousands of objects that say nothing
  // of other scalers.
  listOf('leases', 'coordination.k8s.io/v1', {
    query: { fieldSelector: 'metadata.namespace!=kube-node-lease' },
  }),
  listOf('namespaces', 'v1', { optional }),
  listOf('storageClasses', 'storage.k8s.io/v1', { optional }),
  listOf('csiDrivers', 'storage.k8s.io/v1', { optional }),
  listOf('csiCapacities', 'storage.k8s.io/v1', { optional }),
  listOf('disruptionBudgets', 'policy/v1', { optional }),
  // By name, so that RBAC can grant this one alone.
  listOf('configMaps', 'v1', {
    optional,
    namespace: priorityConfigMap.namespace,
    query: { fieldSelector: `metadata.name=${priorityConfigMap.name}` },
  }),
];
