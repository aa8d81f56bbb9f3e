import { describe, expect, it } from 'vitest';
import type { HostPort, SchedulingConstraints, Taint } from '#cluster/constraints.ts';
import type { NodeView } from '#cluster/snapshot.ts';
import { buildConstraints, buildNode } from '../../helpers/cluster-builders.ts';
import { loneNode } from '../../helpers/lone-node.ts';

function judge(pod: Partial<SchedulingConstraints>, node: Partial<NodeView> = {}): string[] {
  const demands = buildConstraints(pod);
  const there = loneNode(buildNode('n', node));
  const reasons = there.explain(demands);
  expect(there.fits(demands)).toBe(reasons.length === 0);
  return reasons.map(({ code, message }) => `${code}: ${message}`);
}

describe('resources', () => {
  it('fit up to the last unit', () => {
    expect(judge({ requests: { cpu: 4000 } })).toEqual([]);
    expect(judge({ requests: { cpu: 4001 } })).toEqual([
      'insufficientResource: Insufficient cpu (needs 4.001 CPU, 4 CPU free of 4 CPU)',
    ]);
  });

  it('give every reason, sorted by name', () => {
    const requests = { 'nvidia.com/gpu': 1, memory: 32 * 2 ** 30, cpu: 8000 };
    expect(judge({ requests })).toEqual([
      'insufficientResource: Insufficient cpu (needs 8 CPU, 4 CPU free of 4 CPU)',
      'insufficientResource: Insufficient memory (needs 32 GiB, 16 GiB free of 16 GiB)',
      'insufficientResource: Insufficient nvidia.com/gpu (needs 1, the node has none)',
    ]);
  });

  it('count what is already on the node', () => {
    const node = loneNode(buildNode('n', { allocatable: { cpu: 3920, pods: 9 } }));
    node.place(buildConstraints({ requests: { cpu: 2720 } }));
    expect(node.free('cpu')).toBe(1200);
    expect(node.explain(buildConstraints({ requests: { cpu: 4000 } }))).toEqual([
      {
        code: 'insufficientResource',
        message: 'Insufficient cpu (needs 4 CPU, 1.2 CPU free of 3.92 CPU)',
      },
    ]);
  });

  it('let a zero request onto an overcommitted node', () => {
    const node = loneNode(buildNode('n', { allocatable: { cpu: 1000, pods: 9 } }));
    node.place(buildConstraints({ requests: { cpu: 3000 } }));
    expect(node.fits(buildConstraints({ requests: { cpu: 0, memory: 0 } }))).toBe(true);
    expect(node.fits(buildConstraints({ requests: { cpu: 1 } }))).toBe(false);
    expect(node.explain(buildConstraints({ requests: { cpu: 1 } }))[0]?.message).toContain(
      '0 CPU free of 1 CPU',
    );
  });

  it('of a tag or device named like a member of Object are found nowhere', () => {
    expect(judge({ requests: { constructor: 1 } as never })).toHaveLength(1);
  });
});

describe('pod count', () => {
  it('is a limit for pods that ask for nothing too', () => {
    const node = loneNode(buildNode('n', { allocatable: { cpu: 1000, pods: 1 } }));
    const pod = buildConstraints();
    expect(node.fits(pod)).toBe(true);
    node.place(pod);
    expect(node.explain(pod)).toEqual([
      { code: 'tooManyPods', message: 'Too many pods (1 there, room for 1)' },
    ]);
    expect(node.fits(pod)).toBe(false);
  });

  it('is zero on a node that says nothing of pods', () => {
    expect(judge({}, { allocatable: { cpu: 1000 } })[0]).toMatch(/^tooManyPods/);
  });
});

describe('a cordoned node', () => {
  it('takes only pods that tolerate the taint of cordoned nodes', () => {
    const key = 'node.kubernetes.io/unschedulable';
    expect(judge({}, { unschedulable: true })).toEqual([
      'unschedulable: the node is cordoned (spec.unschedulable)',
    ]);
    expect(judge({ tolerations: [{ key, operator: 'Exists' }] }, { unschedulable: true })).toEqual(
      [],
    );
    const evictOnly = { key, operator: 'Exists', effect: 'NoExecute' } as const;
    expect(judge({ tolerations: [evictOnly] }, { unschedulable: true })).toHaveLength(1);
  });
});

describe('node selector and affinity', () => {
  it('name the key and what the node has', () => {
    const nodeSelector = { disk: 'ssd', arch: 'arm64', zone: 'a' };
    expect(judge({ nodeSelector }, { labels: { disk: 'hdd', zone: 'a' } })).toEqual([
      'nodeSelector: nodeSelector wants disk=ssd; the node has disk=hdd',
      'nodeSelector: nodeSelector wants arch=arm64; the node has no label arch',
    ]);
  });

  it('say what each term misses', () => {
    const requiredNodeAffinity = [
      {
        matchExpressions: [
          { key: 'disk', operator: 'Exists', values: [] },
          { key: 'zone', operator: 'In', values: ['b', 'c'] },
        ],
        matchFields: [],
      },
      { matchExpressions: [{ key: 'gpu', operator: 'Exists', values: [] }], matchFields: [] },
      {
        matchExpressions: [],
        matchFields: [{ key: 'metadata.name', operator: 'In', values: ['m'] }],
      },
      { matchExpressions: [], matchFields: [] },
    ] as const;
    expect(judge({ requiredNodeAffinity }, { labels: { zone: 'a', disk: 'x' } })).toEqual([
      'nodeAffinity: required node affinity wants zone In [b, c] (the node has zone=a) or gpu Exists (the node has no label gpu) or field metadata.name In [m] or 1 more terms',
    ]);
    expect(judge({ requiredNodeAffinity }, { labels: { gpu: '' } })).toEqual([]);
  });

  it('both have to match', () => {
    const zoneA = [
      { matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }], matchFields: [] },
    ] as const;
    const pod = { nodeSelector: { disk: 'ssd' }, requiredNodeAffinity: zoneA };
    expect(judge(pod, { labels: { zone: 'a', disk: 'ssd' } })).toEqual([]);
    expect(judge(pod, { labels: { zone: 'b', disk: 'ssd' } })).toHaveLength(1);
    expect(judge(pod, { labels: { zone: 'a' } })).toHaveLength(1);
  });

  it('an empty list of terms matches no node', () => {
    expect(judge({ requiredNodeAffinity: [] })).toEqual([
      'nodeAffinity: required node affinity has no term, so that no node matches it',
    ]);
  });
});

describe('taints', () => {
  it('are named, each that is not tolerated; PreferNoSchedule keeps nobody away', () => {
    const taints: readonly Taint[] = [
      { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' },
      { key: 'soft', value: '', effect: 'PreferNoSchedule' },
      { key: 'out', value: '', effect: 'NoExecute' },
    ];
    expect(judge({}, { taints })).toEqual([
      'untoleratedTaint: the taint dedicated=gpu:NoSchedule is not tolerated',
      'untoleratedTaint: the taint out:NoExecute is not tolerated',
    ]);
    expect(judge({ tolerations: [{ operator: 'Exists' }] }, { taints })).toEqual([]);
  });
});

describe('host ports', () => {
  const port = (hostIp: string, number = 80, protocol: HostPort['protocol'] = 'TCP') =>
    ({ hostIp, port: number, protocol }) satisfies HostPort;

  it.each([
    [port('0.0.0.0'), port('0.0.0.0'), false],
    [port('0.0.0.0'), port('10.0.0.1'), false],
    [port('10.0.0.1'), port('0.0.0.0'), false],
    [port('10.0.0.1'), port('10.0.0.1'), false],
    [port('10.0.0.1'), port('10.0.0.2'), true],
    [port('0.0.0.0'), port('0.0.0.0', 81), true],
    [port('0.0.0.0'), port('0.0.0.0', 80, 'UDP'), true],
  ])('%j in use, %j wanted: fits %s', (used, wanted, expected) => {
    const node = loneNode(buildNode('n'));
    node.place(buildConstraints({ hostPorts: [used] }));
    const pod = buildConstraints({ hostPorts: [wanted] });
    expect(node.fits(pod)).toBe(expected);
    expect(node.explain(pod).map(({ code }) => code)).toEqual(expected ? [] : ['hostPort']);
  });

  it('say which port is taken', () => {
    const node = loneNode(buildNode('n'));
    node.place(buildConstraints({ hostPorts: [port('0.0.0.0')] }));
    expect(node.explain(buildConstraints({ hostPorts: [port('10.0.0.1')] }))).toEqual([
      { code: 'hostPort', message: 'host port 80/TCP on 10.0.0.1 is taken' },
    ]);
  });
});
