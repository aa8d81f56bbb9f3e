import { describe, expect, it } from 'vitest';
import { followPods } from '../../../relay/follow-pods.ts';
import { createNewPods, type SeenPod } from '../../../relay/new-pods.ts';

const podOf = (uid: string, unschedulableSince?: string): SeenPod => ({
  namespace: 'default',
  name: `name-${uid}`,
  uid,
  ...(unschedulableSince !== undefined && { unschedulableSince }),
});

describe('new pods', () => {
  it('is told once of a pod that turned Unschedulable, however often the scheduler tries', () => {
    const newPods = createNewPods();
    expect(newPods.changed(podOf('a'))).toBe(false);
    expect(newPods.changed(podOf('a', '10:00'))).toBe(true);
    expect(newPods.changed(podOf('a', '10:00'))).toBe(false);
    expect(newPods.changed(podOf('a', '10:05'))).toBe(true);
  });

  it('is told again of a pod that was not Unschedulable in between', () => {
    const newPods = createNewPods();
    newPods.changed(podOf('a', '10:00'));
    newPods.changed(podOf('a'));
    expect(newPods.changed(podOf('a', '10:00'))).toBe(true);
  });

  it('finds in a list what the watch has missed, and nothing else', () => {
    const newPods = createNewPods();
    newPods.changed(podOf('a', '10:00'));
    const list = [podOf('a', '10:00'), podOf('b', '10:01'), podOf('c')];
    expect(newPods.listed(list).map(({ uid }) => uid)).toEqual(['b']);
  });

  it('forgets pods that are gone, from a list or by word', () => {
    const newPods = createNewPods();
    newPods.listed([podOf('a', '10:00'), podOf('b', '10:00')]);
    newPods.gone(podOf('a'));
    expect(newPods.size()).toBe(1);
    newPods.listed([]);
    expect(newPods.size()).toBe(0);
  });

  it('remembers no more than it may, and forgets the oldest first', () => {
    const newPods = createNewPods(2);
    for (const uid of ['a', 'b', 'c']) newPods.changed(podOf(uid, '10:00'));
    expect(newPods.size()).toBe(2);
    expect(newPods.changed(podOf('b', '10:00'))).toBe(false);
    expect(newPods.changed(podOf('a', '10:00'))).toBe(true);
  });
});

describe('following pods', () => {
  it('hints at what turned Unschedulable in lists and in changes', async () => {
    async function* changes() {
      yield { kind: 'listed', pods: [podOf('a', '10:00'), podOf('b')] } as const;
      yield { kind: 'changed', pod: podOf('a', '10:00') } as const;
      yield { kind: 'changed', pod: podOf('b', '10:01') } as const;
      yield { kind: 'gone', pod: podOf('a') } as const;
      yield { kind: 'changed', pod: podOf('a', '10:00') } as const;
    }
    const hints: unknown[] = [];
    await followPods(changes(), createNewPods(), (pod) => hints.push(pod));
    expect(hints).toEqual([
      { namespace: 'default', name: 'name-a', uid: 'a' },
      { namespace: 'default', name: 'name-b', uid: 'b' },
      { namespace: 'default', name: 'name-a', uid: 'a' },
    ]);
  });
});
