import type { RecordedPiece } from '#ports/live-recording.ts';
import { PortError } from '#ports/port-error.ts';
import { stripObject } from '../files/strip-object.ts';
import type { ApiClient } from './api-client.ts';
import { type ListRequest, listPages } from './list-pages.ts';

interface RecordedKind extends ListRequest {
  /** Of its file. */
  readonly name: string;
  readonly kind: string;
  readonly apiVersion: string;
  /** No plan can be made without it. */
  readonly needed?: true;
}

/* What `outrider plan` takes. Secrets and ConfigMaps are not among it and are never asked for. */
const kinds: readonly RecordedKind[] = [
  { name: 'nodes', kind: 'Node', apiVersion: 'v1', path: '/api/v1/nodes', needed: true },
  { name: 'pods', kind: 'Pod', apiVersion: 'v1', path: '/api/v1/pods', needed: true },
  {
    name: 'daemonsets',
    kind: 'DaemonSet',
    apiVersion: 'apps/v1',
    path: '/apis/apps/v1/daemonsets',
    needed: true,
  },
  {
    name: 'leases',
    kind: 'Lease',
    apiVersion: 'coordination.k8s.io/v1',
    path: '/apis/coordination.k8s.io/v1/leases',
    // Each node's own: thousands that say nothing of scalers.
    query: { fieldSelector: 'metadata.namespace!=kube-node-lease' },
    needed: true,
  },
  {
    name: 'poddisruptionbudgets',
    kind: 'PodDisruptionBudget',
    apiVersion: 'policy/v1',
    path: '/apis/policy/v1/poddisruptionbudgets',
  },
  {
    name: 'persistentvolumeclaims',
    kind: 'PersistentVolumeClaim',
    apiVersion: 'v1',
    path: '/api/v1/persistentvolumeclaims',
  },
  {
    name: 'priorityclasses',
    kind: 'PriorityClass',
    apiVersion: 'scheduling.k8s.io/v1',
    path: '/apis/scheduling.k8s.io/v1/priorityclasses',
  },
  {
    name: 'csinodes',
    kind: 'CSINode',
    apiVersion: 'storage.k8s.io/v1',
    path: '/apis/storage.k8s.io/v1/csinodes',
  },
  { name: 'namespaces', kind: 'Namespace', apiVersion: 'v1', path: '/api/v1/namespaces' },
];

/**
 * Every list that a plan takes, page by page, each object stripped as a recording that somebody made with
 * kubectl is. A kind that this identity may not list is left out and noted, unless no plan can be made without
 * it (throws).
 */
export const recordLists = async (
  client: ApiClient,
  keep: (piece: RecordedPiece) => Promise<void>,
): Promise<readonly string[]> => {
  const refused: string[] = [];
  for (const kind of kinds) {
    try {
      await recordKind(client, kind, keep);
    } catch (error) {
      const isRefused =
        error instanceof PortError && (error.code === 'forbidden' || error.code === 'notFound');
      if (kind.needed === true || !isRefused) throw error;
      refused.push(kind.name);
    }
  }
  if (refused.length === 0) return [];
  const names = refused.join(', ');
  return [
    `left out, since the identity may not list them and no plan of this version needs them: ${names}`,
  ];
};

const recordKind = async (
  client: ApiClient,
  { name, kind, apiVersion, path, query }: RecordedKind,
  keep: (piece: RecordedPiece) => Promise<void>,
): Promise<void> => {
  // Written page by page, one after another: at most one raw page is held. A list that had to start again is
  // written twice; of an object that is there twice the first counts.
  let writing = Promise.resolve();
  await listPages(client, { path, ...(query === undefined ? {} : { query }) }, (items) => {
    for (const item of items) stripObject(item);
    const piece = {
      name,
      count: items.length,
      content: { apiVersion, kind: `${kind}List`, items },
    };
    writing = writing.then(() => keep(piece));
    // Told where it is awaited, below.
    writing.catch(() => undefined);
    return undefined;
  });
  await writing;
};
