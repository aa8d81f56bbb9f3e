import { describe, expect, it } from 'vitest';
import { mostPodsOfHint, podPendingDetail } from '#events/pod-pending.ts';
import { podHint } from '../../../relay/pod-hint.ts';
import { podPendingSample } from '../../helpers/event-samples.ts';

const source = { cluster: 'prod', network: 'main' };
const podOf = (index: number, name = `web-${index}`) => ({
  namespace: 'default',
  name,
  uid: `u-${index}`,
});

describe('the detail of a hint', () => {
  it('is that of the sample for its cluster, network and pods', () => {
    const { cluster, network, pods } = podPendingSample.detail;
    expect(podHint({ cluster, network }, pods)).toEqual(podPendingSample.detail);
  });

  it('names no more of a pod than who it is', () => {
    const pod = { ...podOf(1), unschedulableSince: '10:00' };
    expect(podHint(source, [pod]).pods).toEqual([podOf(1)]);
  });

  it('is as its schema wants it, with the newest pods of too many', () => {
    const pods = Array.from({ length: mostPodsOfHint + 200 }, (_, index) => podOf(index));
    const detail = podHint(source, pods);
    expect(podPendingDetail.safeParse(detail).success).toBe(true);
    expect(detail.pods).toEqual(pods.slice(-mostPodsOfHint));
  });

  it('stays below the size that EventBridge takes', () => {
    const pods = Array.from({ length: 1_000 }, (_, index) => podOf(index, 'ü'.repeat(253)));
    const detail = podHint(source, pods);
    expect(Buffer.byteLength(JSON.stringify(detail))).toBeLessThan(250 * 1024);
    expect(detail.pods.at(-1)).toEqual(pods.at(-1));
    expect(detail.pods.length).toBeGreaterThan(300);
  });
});
