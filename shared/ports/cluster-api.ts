import type { PodEvent } from '#cluster/pod-event.ts';
import type { Problem } from '#cluster/problem.ts';
import type { ClusterSnapshot } from '#cluster/snapshot.ts';

/** One cluster's API server, as the identity `outrider-read` sees it. */
export interface ClusterApi {
  /** Consistent, paged lists. Objects that cannot be used are left out and named in `problems`. */
  snapshot(): Promise<{
    readonly snapshot: ClusterSnapshot;
    readonly problems: readonly Problem[];
  }>;
  /**
   * Posts an events.k8s.io Event on a pod. The name is derived from pod and message, so that the same
   * word said twice is one Event; an Event that exists already is success.
   */
  postPodEvent(event: PodEvent): Promise<void>;
}
