import { describe, expect, it } from 'vitest';
import { decide, raises } from '../../../helpers/decide.ts';
import {
  boundPod,
  cpuAndMemory,
  GiB,
  g4dn,
  group,
  instance,
  m5large,
  node,
  nodeOf,
  pods,
} from '../../../helpers/scaling-builders.ts';

/** One of them fills a m5.large. */
const wide = { requests: cpuAndMemory(1500) };

const messageOf = (parts: Parameters<typeof decide>[0], pod: string, code: string) =>
  decide(parts)
    .stuck.find((stuck) => stuck.pod === `default/${pod}`)
    ?.reasons.filter((reason) => reason.code === code)
    .map(({ group: name, message }) => `${name}: ${message}`);

describe('limits of the cluster', () => {
  it('cut a raise to what the cluster may have of nodes, all Nodes and those on their way counted', () => {
    const full = boundPod('full', 'other', { requests: cpuAndMemory(1900) });
    const parts = {
      groups: [group('a', { desired: 1 })],
      nodes: [node('other')],
      pods: [full, ...pods(5, 'web', wide)],
      policy: { limits: { nodes: 4 } },
    };
    expect(raises(parts)).toEqual([['a', 1, 3]]);
    expect(messageOf(parts, 'web-4', 'clusterNodeLimit')).toEqual([
      'a: the cluster may have 4 nodes (scaling.limits.nodes) and has 2 and 2 planned',
    ]);
  });

  it('count a Node that is still coming up once', () => {
    const there = instance('i-1', { lifecycleState: 'Pending' });
    const parts = {
      groups: [group('a', { desired: 1, instances: [there] })],
      nodes: [nodeOf(there, { ready: 'False' as const, createdAtMs: 1_799_999_990_000 })],
      pods: pods(3, 'web', wide),
      policy: { limits: { nodes: 2 } },
    };
    expect(raises(parts)).toEqual([['a', 1, 2]]);
  });

  it.each([
    [
      'cpu',
      5000,
      2,
      'the cluster may have 5 of cpu (scaling.limits) and has 0 and 4 planned: a new node of the group has 2',
    ],
    [
      'memory',
      17 * GiB,
      2,
      'the cluster may have 17Gi of memory (scaling.limits) and has 0 and ~15.12Gi planned: a new node of the group has ~7.56Gi',
    ],
  ])('cut a raise to what they leave of %s, and tell it', (name, limit, to, message) => {
    const parts = {
      groups: [group('a')],
      pods: pods(4, 'web', wide),
      policy: { limits: { resources: { [name]: limit } } },
    };
    expect(raises(parts)).toEqual([['a', 0, to]]);
    expect(messageOf(parts, 'web-4', 'clusterResourceLimit')).toEqual([`a: ${message}`]);
  });

  it('of GPUs stop groups with GPUs alone', () => {
    const parts = {
      groups: [group('a'), group('gpu', { launchTemplate: { id: 'lt-g4', version: '$Latest' } })],
      instanceTypes: [m5large, g4dn],
      pods: [
        ...pods(2, 'gpu', { requests: { ...cpuAndMemory(2500), 'nvidia.com/gpu': 1 } }),
        ...pods(2, 'web', wide),
      ],
      policy: { limits: { resources: { 'nvidia.com/gpu': 1 } } },
    };
    expect(raises(parts)).toEqual([
      ['a', 0, 2],
      ['gpu', 0, 1],
    ]);
    expect(messageOf(parts, 'gpu-2', 'clusterResourceLimit')).toEqual([
      'gpu: the cluster may have 1 of nvidia.com/gpu (scaling.limits) and has 0 and 1 planned: a new node of the group has 1',
    ]);
  });

  it('of new nodes hold for all groups of a decision together', () => {
    const parts = {
      groups: [group('a'), group('b')],
      pods: pods(6, 'web', wide),
      policy: { limits: { newNodes: 3 } },
    };
    const added = raises(parts).reduce((sum, [, from, to]) => sum + to - from, 0);
    expect(added).toBe(3);
    expect(messageOf(parts, 'web-6', 'newNodeLimit')).toEqual([
      'a: one decision adds at most 3 nodes to all groups together (scaling.limits.newNodes): the rest follows at the next look',
      'b: one decision adds at most 3 nodes to all groups together (scaling.limits.newNodes): the rest follows at the next look',
    ]);
  });

  it('of nothing stop everything', () => {
    const parts = { pods: pods(1, 'web'), policy: { limits: { nodes: 0 } } };
    expect(raises(parts)).toEqual([]);
    expect(messageOf(parts, 'web-1', 'clusterNodeLimit')).toEqual([
      'workers-a: the cluster may have 0 nodes (scaling.limits.nodes) and has 0',
    ]);
  });
});

describe('the limit of a group', () => {
  it('holds below its own maximum', () => {
    const there = instance('i-1');
    const parts = {
      groups: [group('a', { desired: 1, instances: [there] }), group('b', { max: 0 })],
      nodes: [nodeOf(there)],
      pods: [boundPod('old', 'node-i-1', wide), ...pods(4, 'web', wide)],
      policy: { groups: [{ match: 'a', maxNodes: 3 }] },
    };
    expect(raises(parts)).toEqual([['a', 1, 3]]);
    expect(messageOf(parts, 'web-4', 'groupNodeLimit')).toEqual([
      'a: it may have 3 nodes (groups[].maxNodes) and has 1 and 2 planned',
    ]);
    expect(messageOf(parts, 'web-4', 'groupAtMaximum')).toHaveLength(1);
  });
});
