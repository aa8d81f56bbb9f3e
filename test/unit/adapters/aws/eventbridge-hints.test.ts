import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { describe, expect, it } from 'vitest';
import { putHint } from '#adapters/aws/eventbridge-hints.ts';
import { podPendingSample } from '../../../helpers/event-samples.ts';

const { source, 'detail-type': detailType, detail } = podPendingSample;
const from = { bus: 'bus', source, detailType };

/** A client that takes each command and gives this answer. */
const answering = (answer: object) => {
  const sent: { readonly input: unknown }[] = [];
  const client = {
    send: async (command: { readonly input: unknown }) => {
      sent.push(command);
      return answer;
    },
  } as unknown as EventBridgeClient;
  return { client, sent };
};

describe('hints on EventBridge', () => {
  it('carry the detail as it was given, in the name of their source', async () => {
    const { client, sent } = answering({ FailedEntryCount: 0, Entries: [{ EventId: '1' }] });
    await putHint(client, from, detail);
    const entry = {
      EventBusName: 'bus',
      Source: source,
      DetailType: detailType,
      Detail: JSON.stringify(detail),
    };
    expect(sent.map(({ input }) => input)).toEqual([{ Entries: [entry] }]);
  });

  it('fail where the bus took the call and not the entry', async () => {
    const throttled = answering({
      FailedEntryCount: 1,
      Entries: [{ ErrorCode: 'ThrottlingException', ErrorMessage: 'slow' }],
    });
    await expect(putHint(throttled.client, from, detail)).rejects.toMatchObject({
      code: 'throttled',
    });
    const silent = answering({ FailedEntryCount: 1, Entries: [{}] });
    await expect(putHint(silent.client, from, detail)).rejects.toMatchObject({
      code: 'unavailable',
    });
  });
});
