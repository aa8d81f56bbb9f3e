import { describe, expect, it } from 'vitest';
import { decide, raises } from '../../helpers/decide.ts';
import {
  boundPod,
  cpuAndMemory,
  group,
  minute,
  node,
  now,
  pod,
} from '../../helpers/scaling-builders.ts';

describe('room on the nodes that are there', () => {
  it('counts pods that are being deleted until they are gone, and not those that ended', () => {
    const parts = {
      nodes: [node('a')],
      pods: [
        boundPod('leaving', 'a', { requests: cpuAndMemory(1500), deletedAtMs: now - 1000 }),
        boundPod('done', 'a', { requests: cpuAndMemory(1900), phase: 'Succeeded' }),
        boundPod('failed', 'a', { requests: cpuAndMemory(1900), phase: 'Failed' }),
        pod('small', { requests: cpuAndMemory(400) }),
        pod('large', { requests: cpuAndMemory(900) }),
      ],
    };
    expect(decide(parts).fits).toEqual([{ pod: 'default/small', node: 'a' }]);
    expect(raises(parts)).toEqual([['workers-a', 0, 1]]);
  });

  it('keeps the room that a nominated pod waits for, and does not count its victims as well', () => {
    const parts = {
      nodes: [node('a')],
      pods: [
        boundPod('victim', 'a', { requests: cpuAndMemory(1900), deletedAtMs: now, priority: 0 }),
        pod('urgent', { requests: cpuAndMemory(1500), priority: 100, nominatedNodeName: 'a' }),
        pod('small', { requests: cpuAndMemory(400) }),
        pod('large', { requests: cpuAndMemory(900) }),
      ],
    };
    const decision = decide(parts);
    expect(decision.ignored.map(({ pod: name, code }) => [name, code])).toEqual([
      ['default/urgent', 'nominated'],
    ]);
    expect(decision.fits).toEqual([{ pod: 'default/small', node: 'a' }]);
    expect(decision.scaleUps.map(({ pods: taken }) => taken)).toEqual([['default/large']]);
  });

  it('plans a pod that was nominated for a node which is gone', () => {
    expect(raises({ pods: [pod('web', { nominatedNodeName: 'gone' })] })).toEqual([
      ['workers-a', 0, 1],
    ]);
  });

  it('keeps the room that a Pending DaemonSet pod of the node needs', () => {
    const pinned = pod('agent-x', {
      owner: { kind: 'DaemonSet', name: 'agent', uid: 'uid-agent' },
      requests: cpuAndMemory(1500),
      requiredNodeAffinity: [
        {
          matchExpressions: [],
          matchFields: [{ key: 'metadata.name', operator: 'In', values: ['a'] }],
        },
      ],
    });
    const parts = { nodes: [node('a')], pods: [pinned, pod('web')] };
    const decision = decide(parts);
    expect(decision.fits).toEqual([]);
    expect(decision.ignored.map(({ code }) => code)).toEqual(['daemonSetPod']);
    expect(raises(parts)).toEqual([['workers-a', 0, 1]]);
  });

  it('takes no room of cordoned nodes and of nodes that are not ready', () => {
    const parts = {
      nodes: [node('cordoned', { unschedulable: true }), node('down', { ready: 'Unknown' })],
      pods: [pod('web')],
    };
    expect(raises(parts)).toEqual([['workers-a', 0, 1]]);
  });

  it('gives its room to the pod of higher priority first', () => {
    const decision = decide({
      nodes: [node('a')],
      groups: [group('workers-a', { max: 0 })],
      pods: [
        pod('low', { priority: 1, createdAtMs: now - 5 * minute }),
        pod('high', { priority: 2 }),
      ],
    });
    expect(decision.fits).toEqual([{ pod: 'default/high', node: 'a' }]);
    expect(decision.stuck.map(({ pod: name }) => name)).toEqual(['default/low']);
  });
});
