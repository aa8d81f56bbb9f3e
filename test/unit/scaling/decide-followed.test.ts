import { describe, expect, it } from 'vitest';
import { decide, raises } from '../../helpers/decide.ts';
import {
  cpuAndMemory,
  group,
  m5large,
  m5xlarge,
  minute,
  now,
  pod,
  pods,
} from '../../helpers/scaling-builders.ts';

const smallOnesFirst = {
  pods: [
    ...pods(2, 'small', { requests: cpuAndMemory(600), createdAtMs: now - 9 * minute }),
    ...pods(2, 'large', { requests: cpuAndMemory(1300) }),
  ],
};

describe('a plan that the scheduler must follow', () => {
  it('has the node more that the scheduler needs in its own order, and says so', () => {
    const { scaleUps, problems } = decide(smallOnesFirst);
    expect(scaleUps).toMatchObject([{ from: 0, to: 3 }]);
    expect(scaleUps[0]?.pods).toHaveLength(4);
    expect(scaleUps[0]?.reason).toContain(
      '3 more m5.large in workers-a take them, 1 of them so that the scheduler in its own order finds a place for every pod',
    );
    expect(problems).toEqual([]);
  });

  it('tells that pods may have to wait where the group can have no node more', () => {
    const { scaleUps, stuck, problems } = decide({
      ...smallOnesFirst,
      groups: [group('workers-a', { max: 2 })],
    });
    expect(scaleUps).toMatchObject([{ from: 0, to: 2 }]);
    expect(scaleUps[0]?.pods).toHaveLength(4);
    expect(stuck).toEqual([]);
    expect(problems).toEqual([]);
    expect(scaleUps[0]?.reason).toContain('1 of the pods may wait for another look');
  });

  it('adds nothing more while those nodes are on their way', () => {
    const groups = [group('workers-a', { desired: 3 })];
    expect(raises({ ...smallOnesFirst, groups })).toEqual([]);
  });

  it('has no node more for pods that are alike, in whatever order they come', () => {
    const alike = pods(7, 'web', { requests: cpuAndMemory(900) });
    expect(raises({ pods: alike })).toEqual([['workers-a', 0, 4]]);
  });

  it('keeps pods that must be apart in mind, which the scheduler binds first', () => {
    const apart = {
      required: [
        {
          topologyKey: 'kubernetes.io/hostname',
          selector: { matchLabels: { app: 'db' }, matchExpressions: [] },
          namespaces: ['default'],
        },
      ],
      preferred: [],
    };
    const decision = decide({
      pods: [
        ...pods(2, 'db', {
          requests: cpuAndMemory(1000),
          labels: { app: 'db' },
          podAntiAffinity: apart,
          createdAtMs: now - 9 * minute,
        }),
        pod('web', { requests: cpuAndMemory(1500) }),
      ],
    });
    expect(decision.scaleUps).toMatchObject([{ to: 3 }]);
  });
});

describe('packing by price', () => {
  const large = group('large', { launchTemplate: { id: 'lt-m5x', version: '1' } });
  const priced = {
    groups: [large, group('small')],
    instanceTypes: [m5large, m5xlarge],
    pods: pods(3, 'web', { requests: cpuAndMemory(1500) }),
  };
  const pricesMicro = { 'm5.large': 110_000, 'm5.xlarge': 190_000 };

  it('mixes groups where that is cheaper than any one of them', () => {
    const parts = { ...priced, policy: { expander: ['price' as const], pricesMicro } };
    expect(raises(parts)).toEqual([
      ['large', 0, 1],
      ['small', 0, 1],
    ]);
    expect(decide(parts).scaleUps[0]?.reason).toContain('packed on nodes of all groups at once');
  });

  it('gives way to another rule that comes first', () => {
    const expander = ['least-nodes' as const, 'price' as const];
    const parts = { ...priced, policy: { expander, pricesMicro } };
    expect(raises(parts)).toEqual([['large', 0, 2]]);
  });

  it('stays within limits, and leaves what they stop to say why', () => {
    const parts = {
      ...priced,
      policy: { expander: ['price' as const], pricesMicro, limits: { newNodes: 1 } },
    };
    const { scaleUps, stuck } = decide(parts);
    expect(scaleUps.map(({ group: name, to }) => [name, to])).toEqual([['large', 1]]);
    expect(stuck).toMatchObject([
      { reasons: [{ code: 'newNodeLimit' }, { code: 'newNodeLimit' }] },
    ]);
  });
});
