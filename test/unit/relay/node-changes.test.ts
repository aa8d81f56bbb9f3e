import { describe, expect, it } from 'vitest';
import type { WatchedNode } from '#adapters/kubernetes/watched-node.ts';
import { createNodeChanges } from '../../../relay/node-changes.ts';

const nodeOf = (uid: string, conditions: Readonly<Record<string, string>> = {}): WatchedNode => ({
  name: `name-${uid}`,
  uid,
  conditions: Object.entries(conditions).map(([type, status]) => ({ type, status, reason: 'Why' })),
});
const changed = (node: WatchedNode) => ({ kind: 'changed', object: node }) as const;
const gone = (node: WatchedNode) => ({ kind: 'gone', object: node }) as const;
const listed = (...objects: readonly WatchedNode[]) => ({ kind: 'listed', objects }) as const;

const healthy = { Ready: 'True', MemoryPressure: 'False' };

describe('node changes', () => {
  it('takes the first list for where it begins', () => {
    const changes = createNodeChanges();
    expect(changes.note(listed(nodeOf('a', { Ready: 'False' })))).toEqual([]);
    expect(changes.size()).toBe(1);
  });

  it('tells of a node that appears, and then of its first being Ready', () => {
    const changes = createNodeChanges();
    changes.note(listed());
    expect(changes.note(changed(nodeOf('a')))).toEqual([
      { node: 'name-a', uid: 'a', change: 'appeared', conditions: [] },
    ]);
    expect(changes.note(changed(nodeOf('a', healthy)))).toEqual([
      {
        node: 'name-a',
        uid: 'a',
        change: 'changed',
        conditions: [{ type: 'Ready', status: 'True', reason: 'Why' }],
      },
    ]);
  });

  it('says nothing where only times, reasons or healthy new conditions come', () => {
    const changes = createNodeChanges();
    changes.note(listed(nodeOf('a', healthy)));
    const again = { ...nodeOf('a', healthy), conditions: [{ type: 'Ready', status: 'True' }] };
    expect(changes.note(changed(again))).toEqual([]);
    expect(changes.note(changed(nodeOf('a', { ...healthy, KernelDeadlock: 'False' })))).toEqual([]);
  });

  it('names the conditions whose status changed, and only those', () => {
    const changes = createNodeChanges();
    changes.note(listed(nodeOf('a', healthy)));
    const news = changes.note(changed(nodeOf('a', { Ready: 'Unknown', MemoryPressure: 'False' })));
    expect(news[0]?.conditions).toEqual([{ type: 'Ready', status: 'Unknown', reason: 'Why' }]);
    const pressed = changes.note(
      changed(nodeOf('a', { Ready: 'Unknown', MemoryPressure: 'True' })),
    );
    expect(pressed[0]?.conditions.map(({ type }) => type)).toEqual(['MemoryPressure']);
  });

  it('takes a bad condition that is taken away for a change', () => {
    const changes = createNodeChanges();
    changes.note(listed(nodeOf('a', { Ready: 'True', KernelDeadlock: 'True', Fine: 'False' })));
    expect(changes.note(changed(nodeOf('a', { Ready: 'True' })))[0]?.conditions).toEqual([
      { type: 'KernelDeadlock', status: 'False' },
    ]);
  });

  it('tells once of a node that is gone', () => {
    const changes = createNodeChanges();
    changes.note(listed(nodeOf('a')));
    expect(changes.note(gone(nodeOf('a')))).toEqual([
      { node: 'name-a', uid: 'a', change: 'gone', conditions: [] },
    ]);
    expect(changes.note(gone(nodeOf('a')))).toEqual([]);
    expect(changes.size()).toBe(0);
  });

  it('finds in a later list what the watch has missed: a node by the same name is another one', () => {
    const changes = createNodeChanges();
    changes.note(listed(nodeOf('a', healthy), nodeOf('b', healthy)));
    const later = [nodeOf('b', { Ready: 'False' }), { ...nodeOf('c', healthy), name: 'name-a' }];
    expect(
      changes.note(listed(...later)).map(({ node, uid, change }) => `${node} ${uid} ${change}`),
    ).toEqual(['name-a a gone', 'name-b b changed', 'name-a c appeared']);
  });

  it('remembers no more than it may', () => {
    const changes = createNodeChanges(2);
    changes.note(listed());
    for (const uid of ['a', 'b', 'c']) changes.note(changed(nodeOf(uid)));
    expect(changes.size()).toBe(2);
    expect(changes.note(changed(nodeOf('c')))).toEqual([]);
    expect(changes.note(changed(nodeOf('a')))).toMatchObject([{ change: 'appeared' }]);
  });
});
