import type { ApiClient } from './api-client.ts';
import { type PendingPod, readPendingPod } from './pending-pod.ts';
import { type ObjectChange, type WatchOptions, watchObjects } from './watch-objects.ts';

/** What happens to the pods that have no node. */
export type PodChange =
  /** All of them: whatever was known before and is not here is gone. */
  | { readonly kind: 'listed'; readonly pods: readonly PendingPod[] }
  | { readonly kind: 'changed'; readonly pod: PendingPod }
  /** Bound, ended or deleted. */
  | { readonly kind: 'gone'; readonly pod: PendingPod };

const pendingPods = {
  path: '/api/v1/pods',
  /** The API server sends a bound pod as deleted to a watch with this selector: little is ever sent. */
  query: { fieldSelector: 'spec.nodeName=,status.phase=Pending' },
  read: readPendingPod,
};

/** Follows the pods without a node until `signal` is aborted; see `watchObjects`. */
export async function* watchPods(
  client: ApiClient,
  options: WatchOptions,
): AsyncGenerator<PodChange, void, undefined> {
  for await (const change of watchObjects(client, pendingPods, options)) yield ofPods(change);
}

const ofPods = (change: ObjectChange<PendingPod>): PodChange =>
  change.kind === 'listed'
    ? { kind: 'listed', pods: change.objects }
    : { kind: change.kind, pod: change.object };
