import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { describe, expect, it } from 'vitest';
import { podHintDetail, putPodHint } from '#adapters/aws/eventbridge-hints.ts';
import { podPendingEvent } from '#events/pod-pending.ts';

const source = {
  bus: 'bus',
  source: 'outrider.cluster.prod',
  detailType: 'Pod Pending',
  cluster: 'prod',
  network: 'main',
};
const podOf = (index: number, name = `web-${index}`) => ({
  namespace: 'default',
  name,
  uid: `u-${index}`,
});
const answering = (answer: object) =>
  ({ send: async () => answer }) as unknown as EventBridgeClient;

describe('hints on EventBridge', () => {
  it('are events as their schema wants them, with the newest thousand pods', () => {
    const pods = Array.from({ length: 1_200 }, (_, index) => podOf(index));
    const detail = JSON.parse(podHintDetail(source, pods));
    const event = { source: source.source, 'detail-type': source.detailType, detail };
    expect(podPendingEvent.safeParse(event).success).toBe(true);
    expect(detail.pods).toEqual(pods.slice(-1_000));
  });

  it('stay below the size that EventBridge takes', () => {
    const pods = Array.from({ length: 1_000 }, (_, index) => podOf(index, 'ü'.repeat(253)));
    const detail = podHintDetail(source, pods);
    expect(Buffer.byteLength(detail)).toBeLessThan(250 * 1024);
    expect(JSON.parse(detail).pods.at(-1)).toEqual(pods.at(-1));
    expect(JSON.parse(detail).pods.length).toBeGreaterThan(300);
  });

  it('fail where the bus took the call and not the entry', async () => {
    const throttled = {
      FailedEntryCount: 1,
      Entries: [{ ErrorCode: 'ThrottlingException', ErrorMessage: 'slow' }],
    };
    await expect(putPodHint(answering(throttled), source, [])).rejects.toMatchObject({
      code: 'throttled',
    });
    const silent = { FailedEntryCount: 1, Entries: [{}] };
    await expect(putPodHint(answering(silent), source, [])).rejects.toMatchObject({
      code: 'unavailable',
    });
    const good = { FailedEntryCount: 0, Entries: [{ EventId: '1' }] };
    await expect(putPodHint(answering(good), source, [])).resolves.toBeUndefined();
  });
});
