import type { ApiClient } from './api-client.ts';
import { type PendingPod, readPendingPod } from './pending-pod.ts';
import { type ObjectChange, type WatchOptions, watchObjects } from './watch-objects.ts';

/** What happens to the pods that have no node; gone: bound, ended or deleted. */
export type PodChange = ObjectChange<PendingPod>;

const pendingPods = {
  path: '/api/v1/pods',
  /** The API server sends a bound pod as deleted to a watch with this selector: little is ever sent. */
  query: { fieldSelector: 'spec.nodeName=,status.phase=Pending' },
  read: readPendingPod,
};

/** Follows the pods without a node until `signal` is aborted; see `watchObjects`. */
export const watchPods = (
  client: ApiClient,
  options: WatchOptions,
): AsyncGenerator<PodChange, void, undefined> => watchObjects(client, pendingPods, options);
