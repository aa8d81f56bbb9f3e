import { spreadingController } from '../state/controller-counts.ts';
import type { StatePod } from '../state/scheduling-state.ts';

/** What scores look at in the pod itself, beside what filters do: pods of one class that share it are scored alike. */
export function preferenceKey(pod: StatePod): string {
  const { preferredNodeAffinity, podAffinity, podAntiAffinity, scoredRequests } = pod;
  const parts = [
    preferredNodeAffinity,
    podAffinity?.preferred,
    podAntiAffinity?.preferred,
    scoredRequests,
    pod.topologySpread?.length ? undefined : spreadingController(pod),
  ];
  return parts.every((part) => part === undefined) ? '' : JSON.stringify(parts);
}
