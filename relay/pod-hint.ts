import { mostPodsOfHint, type PodPendingDetail, type PodRef } from '#events/pod-pending.ts';

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
