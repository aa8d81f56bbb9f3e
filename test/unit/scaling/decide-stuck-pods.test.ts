import { describe, expect, it } from 'vitest';
import { codes, decide, raises } from '../../helpers/decide.ts';
import { cpuAndMemory, group, pod, pods } from '../../helpers/scaling-builders.ts';

describe('what a stuck pod is told of every group', () => {
  const parts = {
    groups: [
      group('b-tainted', {
        tags: { 'k8s.io/cluster-autoscaler/node-template/taint/dedicated': 'batch:NoSchedule' },
      }),
      group('a-small'),
      group('c-broken', { launchTemplate: { name: 'gone', version: '7' } }),
    ],
    pods: [pod('big', { requests: cpuAndMemory(8000) })],
  };

  it('is one reason for each, by group name', () => {
    expect(decide(parts).stuck).toEqual([
      {
        pod: 'default/big',
        reasons: [
          {
            group: 'a-small',
            code: 'insufficientResource',
            message: 'Insufficient cpu: needs 8 CPU, a new m5.large offers 1.93 CPU',
          },
          {
            group: 'b-tainted',
            code: 'untoleratedTaint',
            message: 'a new m5.large: the taint dedicated=batch:NoSchedule is not tolerated',
          },
          {
            group: 'c-broken',
            code: 'launchTemplateUnknown',
            message:
              'launch template gone version 7 is not among the input: add the output of aws ec2 describe-launch-template-versions --launch-template-name gone --versions 7',
          },
        ],
      },
    ]);
  });

  it('names the largest of several types, where none is large enough', () => {
    const overrides = ['m5.large', 'm5.xlarge'].map((instanceType) => ({
      instanceType,
      byAttributes: false,
    }));
    const mixed = {
      groups: [group('mixed', { overrides })],
      pods: [pod('big', { requests: cpuAndMemory(8000) })],
    };
    expect(decide(mixed).stuck[0]?.reasons[0]?.message).toBe(
      'Insufficient cpu: needs 8 CPU, its largest new node (m5.xlarge) offers 3.92 CPU',
    );
  });

  it('names the label that no new node has', () => {
    const [reason] =
      decide({ pods: [pod('web', { nodeSelector: { 'team.example.com/pool': 'red' } })] }).stuck[0]
        ?.reasons ?? [];
    expect(reason?.code).toBe('nodeSelector');
    expect(reason?.message).toContain('team.example.com/pool=red');
  });

  it('names the resource that no group declares, and the tag that would', () => {
    const [reason] =
      decide({ pods: [pod('web', { requests: { 'smarter-devices/fuse': 1 } })] }).stuck[0]
        ?.reasons ?? [];
    expect(reason?.code).toBe('insufficientResource');
    expect(reason?.message).toBe(
      'Insufficient smarter-devices/fuse: needs 1, a new m5.large has none; tag the group k8s.io/cluster-autoscaler/node-template/resources/smarter-devices/fuse if it does',
    );
  });

  it('is that the group is at its maximum, nodes on their way included', () => {
    const full = {
      groups: [group('workers-a', { desired: 2, max: 2 })],
      pods: pods(3, 'web', { requests: cpuAndMemory(1500) }),
    };
    expect(decide(full).fits).toHaveLength(2);
    expect(codes(full, 'web-3')).toEqual([['workers-a', 'groupAtMaximum']]);
  });

  it('is that there is no group at all', () => {
    expect(codes({ groups: [], pods: [pod('web')] }, 'web')).toEqual([[undefined, 'noGroups']]);
  });

  it('does not hold up the other pods and groups', () => {
    const mixed = { ...parts, pods: [...parts.pods, pod('web')] };
    expect(raises(mixed)).toEqual([['a-small', 0, 1]]);
  });
});

describe('groups that cannot be planned', () => {
  it('are blocked one by one, and the rest is planned', () => {
    const decision = decide({
      groups: [
        group('bad-taint', {
          tags: { 'k8s.io/cluster-autoscaler/node-template/taint/x': 'NoSchedule' },
        }),
        group('good'),
      ],
      pods: [pod('web')],
    });
    expect(decision.scaleUps.map(({ group: name }) => name)).toEqual(['good']);
    expect(decision.blockedGroups.map(({ group: name, code }) => [name, code])).toEqual([
      ['bad-taint', 'malformedTaintTag'],
    ]);
    expect(decision.problems.map(({ code }) => code)).toEqual(['malformedTaintTag']);
  });
});
