import { mostPodsOfHint, type PodPendingDetail, type PodRef } from '#events/pod-pending.ts';
import type { Batching } from './batcher.ts';

/**
 * All pods make one hint, 200 ms after the last of a burst, each named once. Of more than `mostPods` it
 * names none: "look at the cluster", and no more is remembered.
 */
export const podBatching = (mostPods = mostPodsOfHint): Batching<readonly PodRef[]> => ({
  keyOf: () => 'pods',
  merge(before, after) {
    if (before.length === 0 || after.length === 0) return [];
    const pods = new Map([...before, ...after].map((pod) => [pod.uid, pod]));
    return pods.size > mostPods ? [] : [...pods.values()];
  },
  quietMs: 200,
  longestMs: 2_000,
});

/** EventBridge takes 256 KB an entry; room is left for its other fields. */
const mostDetailBytes = 240 * 1024;

/** The event's detail, with as many of the newest (last) pods as it may hold. */
export function podHint(
  { cluster, network }: Omit<PodPendingDetail, 'pods'>,
  pods: readonly PodRef[],
): PodPendingDetail {
  const named: PodRef[] = [];
  let bytes = sizeOf({ cluster, network, pods: [] });
  for (const { namespace, name, uid } of pods.slice(-mostPodsOfHint).toReversed()) {
    const pod = { namespace, name, uid };
    bytes += sizeOf(pod) + 1;
    if (bytes > mostDetailBytes) break;
    named.push(pod);
  }
  return { cluster, network, pods: named.reverse() };
}

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
