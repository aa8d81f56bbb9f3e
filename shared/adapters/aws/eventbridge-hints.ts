import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { PortError } from '#ports/port-error.ts';
import { calling, toPortError } from './aws-error.ts';

/** A pod as a hint names it. */
export interface PodRef {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** What the events of one cluster's relay have in common. */
export interface HintSource {
  readonly bus: string;
  readonly source: string;
  readonly detailType: string;
  readonly cluster: string;
  readonly network: string;
}

/** EventBridge takes 256 KB an entry; room is left for its other fields. */
const mostDetailBytes = 240 * 1024;
const mostPods = 1000;

/**
 * Puts one hint on the bus. Of more pods than fit, the newest (last) are named. Throws if the bus did
 * not take it.
 */
export async function putPodHint(
  client: EventBridgeClient,
  from: HintSource,
  pods: readonly PodRef[],
): Promise<void> {
  const call = `PutEvents (${from.bus})`;
  const command = new PutEventsCommand({
    Entries: [
      {
        EventBusName: from.bus,
        Source: from.source,
        DetailType: from.detailType,
        Detail: podHintDetail(from, pods),
      },
    ],
  });
  const answer = await calling(call, () => client.send(command));
  const failed = answer.Entries?.find((entry) => entry.ErrorCode !== undefined);
  if (failed !== undefined) {
    throw toPortError(call, { name: failed.ErrorCode, message: failed.ErrorMessage });
  }
  if ((answer.FailedEntryCount ?? 0) > 0) {
    throw new PortError('unavailable', `${call}: the entry was refused without a reason.`);
  }
}

/** The event's detail as JSON, with as many of the newest pods as it may hold. */
export function podHintDetail(from: HintSource, pods: readonly PodRef[]): string {
  const { cluster, network } = from;
  const named: PodRef[] = [];
  let bytes = Buffer.byteLength(JSON.stringify({ cluster, network, pods: [] }));
  for (const { namespace, name, uid } of pods.toReversed()) {
    const pod = { namespace, name, uid };
    bytes += Buffer.byteLength(JSON.stringify(pod)) + 1;
    if (named.length === mostPods || bytes > mostDetailBytes) break;
    named.push(pod);
  }
  return JSON.stringify({ cluster, network, pods: named.reverse() });
}
