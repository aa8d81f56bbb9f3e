import type { ApiClient } from './api-client.ts';
import { type ObjectChange, type WatchOptions, watchObjects } from './watch-objects.ts';
import { readWatchedNode, type WatchedNode } from './watched-node.ts';

/** What happens to the nodes. */
export type NodeChange = ObjectChange<WatchedNode>;

/**
 * Whole nodes, since nothing smaller holds their conditions: metadata alone has none, and the table that
 * kubectl prints only Ready. A kubelet without news writes its node every five minutes, which is some
 * 300 KB a second of 5,000 nodes; only identity and conditions of each are kept.
 */
const nodes = { path: '/api/v1/nodes', query: {}, read: readWatchedNode };

/** Follows the nodes until `signal` is aborted; see `watchObjects`. */
export const watchNodes = (
  client: ApiClient,
  options: WatchOptions,
): AsyncGenerator<NodeChange, void, undefined> => watchObjects(client, nodes, options);
