import type { StatePod } from './scheduling-state.ts';

const text = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value));

const isEmpty = (record: object): boolean => {
  for (const key in record) if (Object.hasOwn(record, key)) return false;
  return true;
};

/**
 * What filters look at in the pod itself, but for its labels. Two pods that differ only in the order of
 * their fields count as different classes; that costs time and nothing else.
 */
export function classKey(pod: StatePod): string {
  const { hostPorts, volumes, podAffinity, podAntiAffinity, topologySpread } = pod;
  let key = text(pod.requests);
  if (!isEmpty(pod.nodeSelector)) key += `|selector ${text(pod.nodeSelector)}`;
  if (pod.requiredNodeAffinity) key += `|affinity ${text(pod.requiredNodeAffinity)}`;
  if (pod.tolerations.length > 0) key += `|tolerations ${text(pod.tolerations)}`;
  if (hostPorts.length > 0) key += `|ports ${text(hostPorts)}`;
  if (podAffinity?.required.length) key += `|friends ${text(podAffinity.required)}`;
  if (podAntiAffinity?.required.length) key += `|foes ${text(podAntiAffinity.required)}`;
  if (topologySpread?.length) key += `|spread ${pod.namespace} ${text(topologySpread)}`;
  if (volumes?.length) key += `|volumes ${pod.namespace} ${text(volumes)}`;
  if (volumes?.some((volume) => volume.kind === 'claim' && volume.ephemeral)) key += `|${pod.uid}`;
  if (pod.requiredFeatures?.length) key += `|features ${text(pod.requiredFeatures)}`;
  if (pod.requestedNode !== undefined) key += `|node ${pod.requestedNode}`;
  return key;
}
