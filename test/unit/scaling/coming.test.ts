import { describe, expect, it } from 'vitest';
import { comingOf } from '#scaling/coming.ts';
import type { LedgerEntry } from '#scaling/ledger.ts';
import { matchNodes } from '#scaling/match-nodes.ts';
import { extendedResourcesOf, isUsable, startupTaintOf } from '#scaling/usable.ts';
import {
  backOff,
  group,
  instance,
  minute,
  node,
  nodeOf,
  now,
} from '../../helpers/scaling-builders.ts';

interface Case {
  readonly desired: number;
  readonly unitsPerNode?: number;
  readonly max?: number;
  readonly instances?: readonly ReturnType<typeof instance>[];
  readonly nodes?: readonly ReturnType<typeof node>[];
  readonly entry?: Partial<LedgerEntry>;
}

const coming = (parts: Case) => {
  const { desired, max = 10, instances = [], nodes = [], entry, unitsPerNode = 1 } = parts;
  const view = group('workers', { desired, max, instances });
  return comingOf({
    group: view,
    ...(entry === undefined
      ? {}
      : { entry: { group: 'workers', generation: 1, instances: {}, ...entry } }),
    live: matchNodes([view], nodes).get('workers') ?? new Map(),
    isUsable: (live) => isUsable(live.node, [], []),
    startLimitSeconds: 900,
    unitsPerNode,
    nowMs: now,
  });
};

describe('nodes on their way', () => {
  it('are what desired has above usable nodes', () => {
    const one = instance('i-1');
    expect(coming({ desired: 3, instances: [one], nodes: [nodeOf(one)] }).count).toBe(2);
  });

  it('are expected by the ledger before the group says so, but never above its maximum', () => {
    expect(coming({ desired: 1, entry: { to: 4 } })).toMatchObject({ expected: 4, count: 4 });
    expect(coming({ desired: 5, entry: { to: 4 } })).toMatchObject({ expected: 5, count: 5 });
    expect(coming({ desired: 1, max: 3, entry: { to: 4 } })).toMatchObject({ expected: 3 });
  });

  it.each([
    'Terminating',
    'Terminating:Wait',
    'Terminating:Proceed',
    'Terminated',
    'Standby',
    'EnteringStandby',
    'Detaching',
    'Warmed:Stopped',
    'Warmed:Running',
    'Warmed:Pending:Wait',
  ])('are not made fewer by an instance that is %s', (lifecycleState) => {
    const one = instance('i-1', { lifecycleState });
    const node1 = nodeOf(one);
    expect(coming({ desired: 1, instances: [one], nodes: [node1] })).toEqual({
      expected: 1,
      unitsPerNode: 1,
      count: 1,
      starting: [],
    });
  });

  it('include instances that are Pending or have no Node yet', () => {
    const instances = [
      instance('i-1', { lifecycleState: 'Pending' }),
      instance('i-2', { lifecycleState: 'Pending:Wait' }),
      instance('i-3'),
    ];
    const { count, starting } = coming({ desired: 3, instances });
    expect(count).toBe(3);
    expect(starting.map(({ id }) => id)).toEqual(['i-1', 'i-2', 'i-3']);
  });

  it('include a Node that was never usable, until its start limit', () => {
    const one = instance('i-1');
    const countAfter = (minutes: number) =>
      coming({
        desired: 1,
        instances: [one],
        nodes: [nodeOf(one, { ready: 'False', createdAtMs: now - minutes * minute })],
      }).count;
    expect(countAfter(14)).toBe(1);
    expect(countAfter(15)).toBe(1);
    expect(countAfter(15.01)).toBe(0);
  });

  it('do not include a Node that once was usable, whatever it is now', () => {
    const one = instance('i-1');
    expect(
      coming({
        desired: 1,
        instances: [one],
        nodes: [nodeOf(one, { ready: 'Unknown', createdAtMs: now - minute })],
        entry: { instances: { 'i-1': { firstSeenMs: now - minute, usableAtMs: now - 1 } } },
      }).count,
    ).toBe(0);
  });

  it('run their start limit from the first sight in the ledger', () => {
    const one = instance('i-1');
    const seen = (minutes: number) =>
      coming({
        desired: 1,
        instances: [one],
        entry: { instances: { 'i-1': { firstSeenMs: now - minutes * minute } } },
      }).count;
    expect(seen(5)).toBe(1);
    expect(seen(16)).toBe(0);
  });

  it('run their start limit from the first sight even where the Node is of another age', () => {
    const one = instance('i-1');
    const countOf = ({ seen, created }: { readonly seen: number; readonly created: number }) =>
      coming({
        desired: 1,
        instances: [one],
        nodes: [nodeOf(one, { ready: 'False', createdAtMs: now - created * minute })],
        entry: { instances: { 'i-1': { firstSeenMs: now - seen * minute } } },
      }).count;
    // Back from standby: its Node was made long ago, its start is new.
    expect(countOf({ seen: 5, created: 120 })).toBe(1);
    expect(countOf({ seen: 16, created: 5 })).toBe(0);
  });

  it('do not include an instance that comes out of a warm pool for older than it is in service', () => {
    const one = instance('i-1', { lifecycleState: 'Pending' });
    const old = nodeOf(one, { ready: 'Unknown', createdAtMs: now - 120 * minute });
    expect(coming({ desired: 1, instances: [one], nodes: [old] }).count).toBe(1);
  });

  it('are only instances that exist while the group is backed off', () => {
    const [up, starting, failed] = [instance('i-1'), instance('i-2'), instance('i-3')];
    const whileBackedOff = (untilMs: number) =>
      coming({
        desired: 6,
        instances: [up, starting, failed],
        nodes: [nodeOf(up)],
        entry: {
          instances: {
            'i-2': { firstSeenMs: now - minute },
            'i-3': { firstSeenMs: now - 20 * minute, failedAtMs: now - 5 * minute },
          },
          backOff: backOff({ untilMs }),
        },
      });
    const { expected, count, starting: there } = whileBackedOff(now + 1);
    expect([expected, count, there.map(({ id }) => id)]).toEqual([6, 1, ['i-2']]);
    expect(whileBackedOff(now)).toMatchObject({ expected: 6, count: 4 });
  });

  it('are no instances launched since one ended while it started, till the back-off ends', () => {
    const seen = { firstSeenMs: now - minute };
    const ids = (code: string, untilMs: number) =>
      coming({
        desired: 2,
        instances: [instance('i-1'), instance('i-2')],
        entry: {
          instances: { 'i-1': { ...seen, givenUpAtMs: now - 2 * minute }, 'i-2': seen },
          backOff: backOff({ code, untilMs }),
        },
      }).starting.map(({ id }) => id);
    expect(ids('endedWhileStarting', now + 1)).toEqual(['i-2']);
    expect(ids('endedWhileStarting', now)).toEqual(['i-1', 'i-2']);
    // AWS had no capacity, and then it had: nothing is wrong with what it launched.
    expect(ids('InsufficientInstanceCapacity', now + 1)).toEqual(['i-1', 'i-2']);
  });

  it('are never fewer than none', () => {
    const two = [instance('i-1'), instance('i-2')];
    const nodes = two.map((one) => nodeOf(one));
    expect(coming({ desired: 1, instances: two, nodes })).toEqual({
      expected: 1,
      unitsPerNode: 1,
      count: 0,
      starting: [],
    });
  });
});

describe('a usable node', () => {
  const tainted = (key: string) =>
    node('n', { taints: [{ key, value: '', effect: 'NoSchedule' }] });

  it('is Ready', () => {
    expect(isUsable(node('n'), [], [])).toBe(true);
    expect(isUsable(node('n', { ready: 'False' }), [], [])).toBe(false);
    expect(isUsable(node('n', { ready: 'Unknown' }), [], [])).toBe(false);
  });

  it.each([
    'node.kubernetes.io/not-ready',
    'node.kubernetes.io/unreachable',
    'node.kubernetes.io/network-unavailable',
    'node.cloudprovider.kubernetes.io/uninitialized',
    'startup-taint.cluster-autoscaler.kubernetes.io/gpu',
    'ignore-taint.cluster-autoscaler.kubernetes.io/cni',
    'karpenter.sh/unregistered',
  ])('does not carry %s', (key) => {
    expect(isUsable(tainted(key), [], [])).toBe(false);
  });

  it('may carry other taints, but none that the policy calls a startup taint', () => {
    expect(isUsable(tainted('dedicated'), [], [])).toBe(true);
    expect(isUsable(tainted('dedicated'), [], ['dedicated'])).toBe(false);
    expect(startupTaintOf(tainted('mine.example.com/a'), ['mine.example.com/*'])?.key).toBe(
      'mine.example.com/a',
    );
  });

  it('shows every promised resource', () => {
    const without = node('n');
    const zero = node('n', { allocatable: { cpu: 1, 'nvidia.com/gpu': 0 } });
    const ready = node('n', { allocatable: { cpu: 1, 'nvidia.com/gpu': 1 } });
    expect([without, zero, ready].map((one) => isUsable(one, ['nvidia.com/gpu'], []))).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('is not asked for what no device plugin brings', () => {
    expect(
      extendedResourcesOf({
        cpu: 1,
        memory: 1,
        'ephemeral-storage': 1,
        pods: 1,
        'hugepages-2Mi': 1,
        'nvidia.com/gpu': 1,
        'example.com/none': 0,
      }),
    ).toEqual(['nvidia.com/gpu']);
  });
});
