import type { RecordedPiece } from '#ports/live-recording.ts';
import { PortError } from '#ports/port-error.ts';
import { stripObject } from '../files/strip-object.ts';
import type { ApiClient } from './api-client.ts';
import { clusterLists } from './cluster-lists.ts';
import { type ListRequest, listPages } from './list-pages.ts';

interface RecordedKind extends ListRequest {
  /** In the API, and of its file. */
  readonly plural: string;
  /** Of the list: `PodList`. */
  readonly kind: string;
  readonly apiVersion: string;
  /** A plan can be made without it. */
  readonly optional: boolean;
}

/* What `outrider plan` takes. Secrets and ConfigMaps are not among it and are never asked for. */
const kinds: readonly RecordedKind[] = [
  ...clusterLists,
  {
    plural: 'priorityclasses',
    kind: 'PriorityClassList',
    apiVersion: 'scheduling.k8s.io/v1',
    path: '/apis/scheduling.k8s.io/v1/priorityclasses',
    optional: true,
  },
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
      if (!kind.optional || !isRefused) throw error;
      refused.push(kind.plural);
    }
  }
  if (refused.length === 0) return [];
  const names = refused.join(', ');
  return [
    `left out, since the identity may not list them, and taken for empty by a plan: ${names}`,
  ];
};

const recordKind = async (
  client: ApiClient,
  { plural, kind, apiVersion, path, query }: RecordedKind,
  keep: (piece: RecordedPiece) => Promise<void>,
): Promise<void> => {
  // Written page by page, one after another: at most one raw page is held. A list that had to start again is
  // written twice; of an object that is there twice the first counts.
  let writing = Promise.resolve();
  await listPages(client, { path, ...(query === undefined ? {} : { query }) }, (items) => {
    for (const item of items) stripObject(item);
    const piece = {
      name: plural,
      count: items.length,
      content: { apiVersion, kind, items },
    };
    writing = writing.then(() => keep(piece));
    // Told where it is awaited, below.
    writing.catch(() => undefined);
    return undefined;
  });
  await writing;
};
