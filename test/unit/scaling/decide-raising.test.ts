import { describe, expect, it } from 'vitest';
import { codes, decide, raises } from '../../helpers/decide.ts';
import {
  boundPod,
  cpuAndMemory,
  GiB,
  group,
  instance,
  m5large,
  m5xlarge,
  node,
  nodeOf,
  override,
  pod,
  pods,
} from '../../helpers/scaling-builders.ts';

describe('raising a group', () => {
  it('raises an empty group by the nodes its pods need and says why', () => {
    const decision = decide({ pods: pods(3, 'web', { requests: cpuAndMemory(900) }) });
    expect(decision.scaleUps).toEqual([
      {
        group: 'workers-a',
        zone: 'us-east-1a',
        from: 0,
        to: 2,
        instanceType: 'm5.large',
        pods: ['default/web-1', 'default/web-2', 'default/web-3'],
        reason:
          '3 pods find no node in the cluster; 2 more m5.large in workers-a take them (least waste: 33 % of CPU, 80 % of memory unused)',
      },
    ]);
    expect(decision.stuck).toEqual([]);
    expect(decision.fits).toEqual([]);
  });

  it('raises from the current desired capacity', () => {
    const there = instance('i-1');
    const parts = {
      groups: [group('workers-a', { desired: 1, instances: [there] })],
      nodes: [nodeOf(there)],
      pods: [boundPod('old', 'node-i-1'), pod('web')],
    };
    const [raise] = decide(parts).scaleUps;
    expect(raise).toMatchObject({ from: 1, to: 2, pods: ['default/web'] });
    expect(raise?.reason).toContain('1 pod does not fit the 1 node of the cluster;');
    expect(raise?.reason).toContain('1 more m5.large in workers-a takes it');
  });

  it('does not scale for a pod that an existing node takes', () => {
    const decision = decide({ nodes: [node('a')], pods: [pod('web')] });
    expect(decision.scaleUps).toEqual([]);
    expect(decision.fits).toEqual([{ pod: 'default/web', node: 'a' }]);
  });

  it('never goes above the maximum and says so of every pod left', () => {
    const parts = {
      groups: [group('workers-a', { max: 2 })],
      pods: pods(3, 'web', { requests: cpuAndMemory(1500) }),
    };
    expect(raises(parts)).toEqual([['workers-a', 0, 2]]);
    const { stuck } = decide(parts);
    expect(stuck).toEqual([
      {
        pod: 'default/web-3',
        reasons: [
          {
            group: 'workers-a',
            code: 'groupAtMaximum',
            message: 'it is at its maximum of 2 nodes: raise MaxSize',
          },
        ],
      },
    ]);
  });

  it('adds at most so many nodes in one decision', () => {
    const parts = {
      pods: pods(3, 'web', { requests: cpuAndMemory(1500) }),
      policy: { maxNodesPerDecision: 2 },
    };
    expect(raises(parts)).toEqual([['workers-a', 0, 2]]);
    expect(codes(parts, 'web-3')).toEqual([['workers-a', 'decisionLimit']]);
  });

  it('names neither zone nor type where AWS chooses them', () => {
    const [raise] = decide({
      groups: [
        group('mixed', {
          zones: ['us-east-1a', 'us-east-1b'],
          overrides: [override('m5.large'), override('m5.xlarge')],
        }),
      ],
      pods: [pod('web')],
    }).scaleUps;
    expect(raise).not.toHaveProperty('zone');
    expect(raise).not.toHaveProperty('instanceType');
    expect(raise?.reason).toContain('m5.large or m5.xlarge');
  });

  it('plans the pods that the first group cannot take on another group in the same decision', () => {
    const parts = {
      groups: [group('cpu'), group('gpu', { launchTemplate: { id: 'lt-g4', version: '1' } })],
      pods: [
        pod('web'),
        pod('train', { requests: { cpu: 1000, memory: GiB, 'nvidia.com/gpu': 1 } }),
      ],
    };
    const { scaleUps, stuck } = decide(parts);
    expect(stuck).toEqual([]);
    expect(scaleUps.map(({ group: name }) => name)).toContain('gpu');
    expect(scaleUps.flatMap(({ pods: taken }) => taken).sort()).toEqual([
      'default/train',
      'default/web',
    ]);
  });

  it('goes on with another group where the best one is full', () => {
    const parts = {
      groups: [
        group('a', { max: 1 }),
        group('b', { launchTemplate: { id: 'lt-m5x', version: '1' } }),
      ],
      pods: pods(3, 'web', { requests: cpuAndMemory(1500) }),
    };
    expect(raises(parts)).toEqual([
      ['a', 0, 1],
      ['b', 0, 1],
    ]);
  });

  it('prefers, of groups that waste alike, one that takes all pods to one near its maximum', () => {
    const parts = {
      groups: [group('a', { max: 1 }), group('b', { max: 5 })],
      pods: pods(3, 'web', { requests: cpuAndMemory(1500) }),
      policy: { balanceSimilarGroups: false },
    };
    expect(raises(parts)).toEqual([['b', 0, 3]]);
  });

  it('packs the large pods first, which takes fewer nodes', () => {
    const parts = {
      pods: [
        ...pods(2, 'a-small', { requests: cpuAndMemory(930) }),
        ...pods(2, 'b-large', { requests: cpuAndMemory(990) }),
      ],
      policy: { replaysScheduler: false },
    };
    expect(raises(parts)).toEqual([['workers-a', 0, 2]]);
  });

  it('raises only groups whose nodes the final placement uses, and tells the waste of that one', () => {
    const decision = decide({
      groups: [group('alpha', { launchTemplate: { id: 'lt-m5x', version: '1' } }), group('beta')],
      pods: [
        pod('x', { requests: cpuAndMemory(1300, 6 * GiB) }),
        pod('y', { requests: cpuAndMemory(2500, GiB) }),
      ],
    });
    // First beta is tried for x, then alpha for y; on alpha's node x finds room as well.
    expect(decision.scaleUps).toEqual([
      {
        group: 'alpha',
        zone: 'us-east-1a',
        from: 0,
        to: 1,
        instanceType: 'm5.xlarge',
        pods: ['default/x', 'default/y'],
        reason:
          '2 pods find no node in the cluster; 1 more m5.xlarge in alpha takes them (least waste: 5 % of CPU, 54 % of memory unused)',
      },
    ]);
    expect(decision.stuck).toEqual([]);
  });
});

describe('the expander', () => {
  it('takes the group that wastes least', () => {
    const parts = {
      groups: [
        group('a-large', { launchTemplate: { id: 'lt-m5x', version: '1' } }),
        group('small'),
      ],
      pods: [pod('web', { requests: cpuAndMemory(1500, 4 * GiB) })],
    };
    expect(raises(parts)).toEqual([['small', 0, 1]]);
  });

  it('breaks a tie by the name and says so', () => {
    const parts = { groups: [group('b'), group('a')], pods: [pod('web')] };
    const [raise] = decide(parts).scaleUps;
    expect(raise?.group).toBe('a');
    expect(raise?.reason).toContain('level with b, taken for its name');
  });

  it('uses the larger of two types where both are in reach and the pod needs it', () => {
    const parts = {
      groups: [group('small'), group('large', { launchTemplate: { id: 'lt-m5x', version: '1' } })],
      instanceTypes: [m5large, m5xlarge],
      pods: [pod('big', { requests: cpuAndMemory(3500) })],
    };
    expect(raises(parts)).toEqual([['large', 0, 1]]);
  });
});
