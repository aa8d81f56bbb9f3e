import { describe, expect, it } from 'vitest';
import type { PendingPod } from '#adapters/kubernetes/pending-pod.ts';
import type { PodChange } from '#wiring/relay.ts';
import { createNewPods } from '../../../relay/new-pods.ts';

const podOf = (uid: string, unschedulableSince?: string): PendingPod => ({
  namespace: 'default',
  name: `name-${uid}`,
  uid,
  ...(unschedulableSince !== undefined && { unschedulableSince }),
});

const changed = (pod: PendingPod) => ({ kind: 'changed', object: pod }) as const;
const gone = (pod: PendingPod) => ({ kind: 'gone', object: pod }) as const;
const listed = (...objects: readonly PendingPod[]) => ({ kind: 'listed', objects }) as const;

const start = (most?: number) => {
  const { note, size } = createNewPods(most);
  return { size, note: (change: PodChange) => note(change).map(({ uid }) => uid) };
};

describe('new pods', () => {
  it('tells once of a pod that turned Unschedulable, however often the scheduler tries', () => {
    const { note } = start();
    expect(note(changed(podOf('a')))).toEqual([]);
    expect(note(changed(podOf('a', '10:00')))).toEqual(['a']);
    expect(note(changed(podOf('a', '10:00')))).toEqual([]);
    expect(note(changed(podOf('a', '10:05')))).toEqual(['a']);
  });

  it('tells again of a pod that was not Unschedulable in between, or gone', () => {
    const { note } = start();
    note(changed(podOf('a', '10:00')));
    note(changed(podOf('a')));
    expect(note(changed(podOf('a', '10:00')))).toEqual(['a']);
    expect(note(gone(podOf('a')))).toEqual([]);
    expect(note(changed(podOf('a', '10:00')))).toEqual(['a']);
  });

  it('finds in a list what the watch has missed, and nothing else', () => {
    const { note } = start();
    note(changed(podOf('a', '10:00')));
    expect(note(listed(podOf('a', '10:00'), podOf('b', '10:01'), podOf('c')))).toEqual(['b']);
  });

  it('names a pod and says nothing else of it', () => {
    expect(createNewPods().note(listed(podOf('a', '10:00')))).toEqual([
      { namespace: 'default', name: 'name-a', uid: 'a' },
    ]);
  });

  it('forgets pods that are gone, from a list or by word', () => {
    const { note, size } = start();
    note(listed(podOf('a', '10:00'), podOf('b', '10:00')));
    note(gone(podOf('a')));
    expect(size()).toBe(1);
    note(listed());
    expect(size()).toBe(0);
  });

  it('remembers no more than it may, and forgets the oldest first', () => {
    const { note, size } = start(2);
    for (const uid of ['a', 'b', 'c']) note(changed(podOf(uid, '10:00')));
    expect(size()).toBe(2);
    expect(note(changed(podOf('b', '10:00')))).toEqual([]);
    expect(note(changed(podOf('a', '10:00')))).toEqual(['a']);
  });
});
