import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { PortError } from '#ports/port-error.ts';
import { calling, toPortError } from './aws-error.ts';

/** What the events of one cluster's relay have in common. */
export interface HintSource {
  readonly bus: string;
  readonly source: string;
  readonly detailType: string;
}

/** Puts one hint on the bus, its detail as JSON. Throws if the bus did not take it. */
export async function putHint(
  client: EventBridgeClient,
  from: HintSource,
  detail: object,
): Promise<void> {
  const call = `PutEvents (${from.bus})`;
  const command = new PutEventsCommand({
    Entries: [
      {
        EventBusName: from.bus,
        Source: from.source,
        DetailType: from.detailType,
        Detail: JSON.stringify(detail),
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
