import type { PodAffinity } from './constraints.ts';
import type { ClusterSnapshot, PodView, SnapshotKind } from './snapshot.ts';
import type { ClaimView } from './storage-views.ts';

const isWaiting = ({ nodeName, phase }: PodView): boolean =>
  nodeName === undefined && phase === 'Pending';

const selectsNamespaces = (affinity: PodAffinity | undefined): boolean =>
  affinity !== undefined &&
  [...affinity.required, ...affinity.preferred.map(({ term }) => term)].some(
    ({ namespaceSelector: selector }) =>
      selector !== undefined &&
      (selector.matchExpressions.length > 0 || Object.keys(selector.matchLabels).length > 0),
  );

/** `namespace/claim` of every claim that a waiting pod has. */
function waitingClaims(pods: readonly PodView[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const pod of pods) {
    if (pod.volumes === undefined || !isWaiting(pod)) continue;
    for (const volume of pod.volumes) {
      if (volume.kind === 'claim') names.add(`${pod.namespace}/${volume.claim}`);
    }
  }
  return names;
}

/**
 * The lists of a snapshot beside nodes, pods, DaemonSets and leases that say something of its waiting pods:
 * were one of them left out, those pods would be judged wrongly. Where none has a claim, no list of storage.
 */
export function kindsThatMatter(snapshot: ClusterSnapshot): readonly SnapshotKind[] {
  const { pods, claims = [], csiDrivers = [] } = snapshot;
  const kinds: SnapshotKind[] = [];
  if (
    pods.some((pod) => selectsNamespaces(pod.podAffinity) || selectsNamespaces(pod.podAntiAffinity))
  ) {
    kinds.push('namespaces');
  }
  const named = waitingClaims(pods);
  if (named.size === 0) return kinds;
  kinds.push('claims');
  const found = claims.filter(({ namespace, name }) => named.has(`${namespace}/${name}`));
  const isUnbound = ({ volumeName }: ClaimView): boolean => volumeName === undefined;
  if (!found.every(isUnbound)) kinds.push('volumes');
  if (found.some((claim) => isUnbound(claim) && claim.storageClass)) kinds.push('storageClasses');
  if (found.length > 0) kinds.push('csiNodes');
  if (found.some(isUnbound)) {
    kinds.push('csiDrivers');
    if (csiDrivers.some(({ tracksCapacity }) => tracksCapacity)) kinds.push('csiCapacities');
  }
  return kinds;
}
