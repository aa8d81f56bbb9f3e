import { describe, expect, it } from 'vitest';
import type { Headroom } from '#scaling/policy.ts';
import { isQuiet } from '#scaling/what-to-ask.ts';
import { decide, raises } from '../../../helpers/decide.ts';
import {
  boundPod,
  cpuAndMemory,
  daemonSet,
  group,
  type InputParts,
  instance,
  nodeOf,
  now,
  pods,
  scaleUpInput,
} from '../../../helpers/scaling-builders.ts';

const wide = { requests: cpuAndMemory(1500) };
const keeping = (headroom: Headroom) => ({ groups: [{ match: 'a', headroom }] });

const there = ['i-1', 'i-2'].map((id) => instance(id));
const withNodes = (over: InputParts): InputParts => ({
  groups: [group('a', { desired: 2, instances: there })],
  nodes: there.map((one) => nodeOf(one)),
  ...over,
});

describe('nodes that are kept free', () => {
  const policy = keeping({ nodes: 2 });

  it('are added where the group lacks them, and the reason says so', () => {
    const parts = { groups: [group('a')], policy };
    expect(raises(parts)).toEqual([['a', 0, 2]]);
    expect(decide(parts).scaleUps[0]).toMatchObject({
      pods: [],
      reason: '2 more m5.large in a, to keep its headroom, 2 nodes without pods',
    });
  });

  it('are those that only DaemonSets use', () => {
    const daemons = { owner: { kind: 'DaemonSet', name: 'net', uid: 'uid-net' } };
    const parts = withNodes({
      daemonSets: [daemonSet('net')],
      pods: [
        boundPod('net-1', 'node-i-1', daemons),
        boundPod('net-2', 'node-i-2', daemons),
        boundPod('web', 'node-i-2'),
      ],
      policy,
    });
    expect(raises(parts)).toEqual([['a', 2, 3]]);
    expect(raises({ ...parts, pods: (parts.pods ?? []).slice(0, 2) })).toEqual([]);
  });

  it('on their way count, so that the next look adds nothing', () => {
    expect(raises({ groups: [group('a', { desired: 2 })], policy })).toEqual([]);
  });

  it('that are cordoned do not count', () => {
    const nodes = there.map((one) => nodeOf(one, { unschedulable: one.id === 'i-1' }));
    expect(raises(withNodes({ nodes, policy }))).toEqual([['a', 2, 3]]);
  });

  it('take pods that wait, and are replaced', () => {
    const parts = withNodes({ pods: pods(1, 'web', wide), policy });
    const { fits, scaleUps } = decide(parts);
    expect(fits).toHaveLength(1);
    expect(scaleUps.map(({ from, to, pods: forPods }) => [from, to, forPods])).toEqual([
      [2, 3, []],
    ]);
  });

  it('come on top of the nodes that pods need', () => {
    const parts = { groups: [group('a')], pods: pods(1, 'web', wide), policy };
    expect(raises(parts)).toEqual([['a', 0, 3]]);
    expect(decide(parts).scaleUps[0]?.reason).toMatch(
      /^1 pod finds no node in the cluster; 1 more m5.large in a takes it \(.*\), and 2 more to keep its headroom, 2 nodes without pods$/,
    );
  });

  it('are never more than limits allow, and what lacks is told', () => {
    const parts = { groups: [group('a', { max: 1 })], policy };
    expect(raises(parts)).toEqual([['a', 0, 1]]);
    expect(decide(parts).problems).toMatchObject([
      { field: 'AutoScalingGroups[a]', code: 'headroomShort' },
    ]);
    expect(decide(parts).problems[0]?.message).toContain('lacks 1 of 2 spare nodes');
    const limited = { groups: [group('a')], policy: { ...policy, limits: { nodes: 1 } } };
    expect(raises(limited)).toEqual([['a', 0, 1]]);
    expect(decide(limited).problems[0]?.message).toContain('scaling.limits.nodes');
  });

  it('are the number that the tag of the group says', () => {
    const tags = { 'outrider.dev/headroom-nodes': '1' };
    expect(raises({ groups: [group('a', { tags })], policy })).toEqual([['a', 0, 1]]);
    const bad = { 'outrider.dev/headroom-nodes': 'some' };
    const decision = decide({ groups: [group('b', { tags: bad })] });
    expect(decision.scaleUps).toEqual([]);
    expect(decision.problems).toMatchObject([{ code: 'malformedHeadroomTag' }]);
  });
});

describe('room for spare pods', () => {
  const policy = keeping({ pods: { count: 3, requests: cpuAndMemory(900) } });

  it('is what nodes have left, and nodes are added for the rest', () => {
    expect(raises({ groups: [group('a')], policy })).toEqual([['a', 0, 2]]);
    expect(raises(withNodes({ policy }))).toEqual([]);
    const used = [boundPod('web', 'node-i-1', wide)];
    expect(raises(withNodes({ pods: used, policy }))).toEqual([['a', 2, 3]]);
  });

  it('is on nodes with the taints of the group', () => {
    const tags = { 'k8s.io/cluster-autoscaler/node-template/taint/dedicated': 'x:NoSchedule' };
    expect(raises({ groups: [group('a', { tags })], policy })).toEqual([['a', 0, 2]]);
  });

  it('is taken by pods that wait', () => {
    const { fits, scaleUps, stuck } = decide(withNodes({ pods: pods(2, 'web', wide), policy }));
    expect([fits.length, stuck.length]).toEqual([2, 0]);
    expect(scaleUps).toMatchObject([{ from: 2, to: 4 }]);
  });

  it('that no node of the group has adds none', () => {
    const parts = {
      groups: [group('a')],
      policy: keeping({ pods: { count: 1, requests: cpuAndMemory(64_000) } }),
    };
    expect(raises(parts)).toEqual([]);
    expect(decide(parts).problems[0]?.message).toContain(
      'a new node of the group does not have the room for one',
    );
  });

  it('is what the tag of the group says', () => {
    const tags = { 'outrider.dev/headroom-pods': '4 cpu=900m memory=1Gi' };
    const parts = { groups: [group('b', { tags })] };
    expect(raises(parts)).toEqual([['b', 0, 2]]);
    expect(decide(parts).scaleUps[0]?.reason).toContain('room for 4 pods of 900m cpu, 1Gi memory');
  });
});

describe('a cluster in which room is kept free', () => {
  it('is never taken for quiet: pods that take the room do not wait', () => {
    const minutes = [0, 1, 2, 3, 4].map((minute) => now + minute * 60_000);
    const { cluster, snapshot, ledger, policy } = scaleUpInput();
    const quiet = (groups: typeof policy.groups) =>
      minutes.filter((nowMs) =>
        isQuiet({ cluster, snapshot, ledger, policy: { ...policy, groups }, nowMs }),
      ).length;
    expect(quiet([])).toBe(4);
    expect(quiet([{ match: 'a', headroom: { nodes: 1 } }])).toBe(0);
  });
});
