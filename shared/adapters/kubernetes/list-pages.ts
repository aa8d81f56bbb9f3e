import { PortError } from '#ports/port-error.ts';
import type { ApiClient, Query } from './api-client.ts';
import { apiStatusOf } from './api-error.ts';

export interface ListRequest {
  readonly path: string;
  readonly query?: Query;
  /** Ends the reading early. */
  readonly signal?: AbortSignal;
}

export interface Listed<Page> {
  readonly pages: readonly Page[];
  /** Of the whole list; where a watch may start. */
  readonly resourceVersion: string;
}

const pageSize = 500;
const mostRestarts = 3;

/**
 * Reads one list in pages of 500, from a consistent read (no resourceVersion is asked for). Each page is handed to
 * `read` as soon as it is there, so that only what is made of it stays in memory. A continue token that
 * has expired (410: a list that took longer than etcd keeps revisions) starts that list again.
 */
export async function listPages<Page>(
  client: ApiClient,
  request: ListRequest,
  read: (items: readonly unknown[]) => Page,
): Promise<Listed<Page>> {
  for (let restart = 0; ; restart += 1) {
    try {
      return await listOnce(client, request, read);
    } catch (error) {
      if (apiStatusOf(error)?.httpStatus !== 410) throw error;
      if (restart < mostRestarts) continue;
      const said = `GET ${request.path}: the list expired ${restart + 1} times while it was read`;
      throw new PortError('unavailable', said, { cause: error });
    }
  }
}

async function listOnce<Page>(
  client: ApiClient,
  request: ListRequest,
  read: (items: readonly unknown[]) => Page,
): Promise<Listed<Page>> {
  const pages: Page[] = [];
  let token = '';
  let resourceVersion = '';
  do {
    const query = {
      ...request.query,
      limit: String(pageSize),
      ...(token !== '' && { continue: token }),
    };
    const answer = await client.get(request.path, query, request.signal);
    const list = readList(request.path, answer);
    pages.push(read(list.items));
    token = list.token;
    resourceVersion = list.resourceVersion;
  } while (token !== '');
  return { pages, resourceVersion };
}

function readList(path: string, answer: unknown) {
  const { metadata, items } = (answer ?? {}) as {
    readonly metadata?: { readonly continue?: string; readonly resourceVersion?: string };
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
  };
}
