import { describe, expect, it } from 'vitest';
import { podEventObject } from '#adapters/kubernetes/pod-event.ts';
import type { PodEvent } from '#cluster/pod-event.ts';

const event: PodEvent = {
  namespace: 'shop',
  pod: 'web-1',
  podUid: 'u-1',
  type: 'Normal',
  reason: 'TriggeredScaleUp',
  message: 'group workers raised from 1 to 2',
  atMs: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
};

describe('pod event', () => {
  it('says what, of whom, when and by whom, as events.k8s.io/v1 wants it', () => {
    expect(podEventObject(event)).toEqual({
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { namespace: 'shop', name: expect.stringMatching(/^web-1\.[0-9a-f]{16}$/) },
      eventTime: '2026-01-02T03:04:05.006000Z',
      reportingController: 'outrider.dev/scale-up',
      reportingInstance: 'outrider',
      action: 'ScaleUp',
      reason: 'TriggeredScaleUp',
      type: 'Normal',
      regarding: { apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'web-1', uid: 'u-1' },
      note: 'group workers raised from 1 to 2',
    });
  });

  it('has a name of pod and word alone: the time does not matter, everything else does', () => {
    const nameOf = (changes: Partial<PodEvent>) =>
      podEventObject({ ...event, ...changes }).metadata.name;
    expect(nameOf({ atMs: 5 })).toBe(nameOf({}));
    const others = [
      { message: 'x' },
      { reason: 'X' },
      { podUid: 'u-2' },
      { type: 'Warning' as const },
    ];
    expect(new Set([nameOf({}), ...others.map(nameOf)]).size).toBe(5);
  });

  it('has a name that is valid for the longest pod name', () => {
    const { name } = podEventObject({
      ...event,
      pod: `${'a'.repeat(235)}.-${'b'.repeat(16)}`,
    }).metadata;
    expect(name.length).toBeLessThanOrEqual(253);
    expect(name).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/);
  });

  it('cuts a note to 1,024 bytes and says so', () => {
    const { note } = podEventObject({ ...event, message: 'ä'.repeat(600) });
    expect(Buffer.byteLength(note)).toBeLessThanOrEqual(1024);
    expect(note).toBe(`${'ä'.repeat(510)}…`);
    expect(podEventObject({ ...event, message: 'a'.repeat(1024) }).note).toBe('a'.repeat(1024));
  });
});
