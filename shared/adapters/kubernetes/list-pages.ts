import { setImmediate as nextTurn } from 'node:timers/promises';
import { PortError } from '#ports/port-error.ts';
import type { ApiClient, Query } from './api-client.ts';
import { apiStatusOf, isTooLarge } from './api-error.ts';

export interface ListRequest {
  readonly path: string;
  readonly query?: Query;
  /** Default 500. */
  readonly pageSize?: number;
  /** Ends the reading early. */
  readonly signal?: AbortSignal;
}

export interface Listed<Page> {
  readonly pages: readonly Page[];
  /** Of the whole list; where a watch may start. */
  readonly resourceVersion: string;
}

const usualPageSize = 500;
/** After a page that was larger than an answer may be. */
const smallPageSize = 50;
/** Three times the design point: a server that goes on for ever is ended here, or by the look's time. */
const mostObjects = 500_000;

/**
 * Reads one list in pages, from a consistent read (no resourceVersion is asked for): all pages show one
 * resource version. Each page is handed to `read` as soon as it is there, so that only what is made of it
 * stays in memory, while the server makes the next one. A continue token that has expired (410: a list that
 * took longer than etcd keeps revisions), or a page of another version, starts the list again, once; a page
 * that is too large starts it again with 50 objects a page.
 */
export async function listPages<Page>(
  client: ApiClient,
  request: ListRequest,
  read: (items: readonly unknown[]) => Page,
): Promise<Listed<Page>> {
  let limit = request.pageSize ?? usualPageSize;
  let expired = false;
  for (;;) {
    try {
      return await listOnce(client, { ...request, limit }, read);
    } catch (error) {
      if (isTooLarge(error) && limit > smallPageSize) {
        limit = smallPageSize;
        continue;
      }
      if (apiStatusOf(error)?.httpStatus !== 410) throw error;
      if (!expired) {
        expired = true;
        continue;
      }
      const said = `GET ${request.path}: the list expired twice while it was read`;
      throw new PortError('unavailable', said, { cause: error });
    }
  }
}

async function listOnce<Page>(
  client: ApiClient,
  request: ListRequest & { readonly limit: number },
  read: (items: readonly unknown[]) => Page,
): Promise<Listed<Page>> {
  const { path, signal } = request;
  const pages: Page[] = [];
  const fetchPage = async (token: string) => {
    const query = {
      ...request.query,
      limit: String(request.limit),
      ...(token !== '' && { continue: token }),
    };
    return readList(path, await client.get(path, query, signal));
  };
  let resourceVersion: string | undefined;
  let objects = 0;
  let coming = fetchPage('');
  for (;;) {
    const page = await coming;
    resourceVersion ??= page.resourceVersion;
    if (page.resourceVersion !== resourceVersion) throw otherVersion(path);
    objects += page.items.length;
    if (objects > mostObjects) {
      throw new PortError('invalid', `GET ${path}: more than ${mostObjects} objects`);
    }
    if (page.token !== '') {
      coming = fetchPage(page.token);
      // Should `read` throw, nobody waits for it any more.
      coming.catch(() => {});
      // Lets the request leave before this page takes the processor.
      await nextTurn();
    }
    pages.push(read(page.items));
    if (page.token === '') return { pages, resourceVersion };
  }
}

/** As if its token had expired: the pages do not belong together. */
const otherVersion = (path: string): PortError =>
  new PortError('conflict', `GET ${path}: a page shows another resource version`, {
    cause: { httpStatus: 410, reason: 'Expired' },
  });

interface ListPage {
  readonly items: readonly unknown[];
  /** Empty on the last page. */
  readonly token: string;
  readonly resourceVersion: string;
  /** Objects on the pages after this one; absent where the server does not say. */
  readonly remaining?: number;
}

/** Throws `unavailable` where an answer is not a list. */
export function readList(path: string, answer: unknown): ListPage {
  const { metadata, items } = (answer ?? {}) as {
    readonly metadata?: {
      readonly continue?: string;
      readonly resourceVersion?: string;
      readonly remainingItemCount?: number;
    };
    /** Null where the list is empty, from some servers. */
    readonly items?: readonly unknown[] | null;
  };
  if (metadata === undefined || (items !== null && !Array.isArray(items))) {
    throw new PortError('unavailable', `GET ${path}: the answer is not a list`);
  }
  return {
    items: items ?? [],
    token: metadata.continue ?? '',
    resourceVersion: metadata.resourceVersion ?? '',
    ...(metadata.remainingItemCount !== undefined && { remaining: metadata.remainingItemCount }),
  };
}
