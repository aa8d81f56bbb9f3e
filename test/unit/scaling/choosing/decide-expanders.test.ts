import { describe, expect, it } from 'vitest';
import { decideScaleUp } from '#scaling/decide-scale-up.ts';
import type { ScalingPolicy } from '#scaling/policy.ts';
import { raises } from '../../../helpers/decide.ts';
import {
  cpuAndMemory,
  group,
  type InputParts,
  pods,
  scaleUpInput,
} from '../../../helpers/scaling-builders.ts';

const onDemand = group('on-demand');
const spot = group('spot', {
  tags: { 'k8s.io/cluster-autoscaler/node-template/label/lifecycle': 'spot' },
});
const large = group('large', { launchTemplate: { id: 'lt-m5x', version: '$Latest' } });

const list = (priorities: string): InputParts['configMaps'] => [
  {
    namespace: 'kube-system',
    name: 'cluster-autoscaler-priority-expander',
    data: { priorities },
  },
];

const decideWith = (parts: InputParts, policy: Partial<ScalingPolicy>) =>
  decideScaleUp(scaleUpInput({ ...parts, policy: { balanceSimilarGroups: false, ...policy } }));

describe('a decision with the priority expander', () => {
  const parts = {
    groups: [onDemand, spot],
    pods: pods(2, 'web', { requests: cpuAndMemory(1500) }),
    configMaps: list('50:\n  - ^spot\n10:\n  - .*\n'),
  };
  const policy: Partial<ScalingPolicy> = { expander: ['priority', 'least-waste'] };

  it('raises the group of the highest priority and says which', () => {
    const [raise, ...others] = decideWith(parts, policy).scaleUps;
    expect(others).toEqual([]);
    expect(raise).toMatchObject({ group: 'spot', to: 2 });
    expect(raise?.reason).toContain('(highest priority: 50)');
  });

  it('falls to the next priority where the first is at its maximum', () => {
    const groups = [onDemand, { ...spot, max: 1 }];
    const { scaleUps } = decideWith({ ...parts, groups }, policy);
    expect(scaleUps.map(({ group: name, to }) => [name, to])).toEqual([
      ['on-demand', 1],
      ['spot', 1],
    ]);
    expect(scaleUps[0]?.reason).toContain('highest priority: 10');
  });

  it('lets the next expander decide, and tells it, where the list is malformed', () => {
    const decision = decideWith({ ...parts, configMaps: list('oops') }, policy);
    expect(decision.scaleUps.map(({ group: name }) => name)).toEqual(['on-demand']);
    expect(decision.problems.map(({ code }) => code)).toEqual(['malformedPriorities']);
  });

  it('is not bothered by a malformed list where no expander asks for it', () => {
    const decision = decideWith({ ...parts, configMaps: list('oops') }, {});
    expect(decision.problems).toEqual([]);
  });
});

describe('a decision with the price expander', () => {
  const parts = {
    groups: [large, onDemand],
    pods: pods(3, 'web', { requests: cpuAndMemory(900) }),
  };

  it('raises what costs least in all, and says how much', () => {
    const pricesMicro = { 'm5.large': 96_000, 'm5.xlarge': 150_000 };
    const [raise] = decideWith(parts, { expander: ['price'], pricesMicro }).scaleUps;
    expect(raise).toMatchObject({ group: 'large', to: 1 });
    expect(raise?.reason).toContain('(lowest price: $0.15 per hour)');
    const dearer = { ...pricesMicro, 'm5.xlarge': 200_000 };
    expect(
      decideWith(parts, { expander: ['price'], pricesMicro: dearer }).scaleUps[0],
    ).toMatchObject({ group: 'on-demand', to: 2 });
  });

  it('takes groups without a price last and names them', () => {
    const decision = decideWith(parts, {
      expander: ['price'],
      pricesMicro: { 'm5.large': 96_000 },
    });
    expect(decision.scaleUps.map(({ group: name }) => name)).toEqual(['on-demand']);
    expect(decision.problems).toMatchObject([
      { field: 'AutoScalingGroups[large]', code: 'priceMissing' },
    ]);
    expect(decision.problems[0]?.message).toContain('m5.xlarge under scaling.prices');
  });

  it('knows the Spot price of the zone for groups whose nodes are Spot', () => {
    const input = scaleUpInput({
      groups: [onDemand, spot],
      pods: pods(1, 'web'),
      policy: { expander: ['price'], pricesMicro: { 'm5.large': 96_000 } },
    });
    const spotMicro = { 'us-east-1a': 30_000 };
    const decision = decideScaleUp({ ...input, prices: { 'm5.large': { spotMicro } } });
    expect(decision.scaleUps.map(({ group: name }) => name)).toEqual(['spot']);
    expect(decision.scaleUps[0]?.reason).toContain('$0.03 per hour');
  });

  it('prices the next node by the distribution of a mixed-instances policy', () => {
    const mixed = group('mixed', { distribution: { onDemandBase: 0, onDemandPercentAbove: 0 } });
    const based = { ...mixed, distribution: { onDemandBase: 1, onDemandPercentAbove: 0 } };
    const prices = {
      'm5.large': { onDemandMicro: 96_000, spotMicro: { 'us-east-1a': 30_000 } },
    };
    const reasonWith = (only: typeof mixed) => {
      const parts = {
        groups: [only],
        pods: pods(1, 'web'),
        policy: { expander: ['price'] } as const,
      };
      return decideScaleUp({ ...scaleUpInput(parts), prices }).scaleUps[0]?.reason;
    };
    expect(reasonWith(mixed)).toContain('$0.03 per hour');
    expect(reasonWith(based)).toContain('$0.096 per hour');
  });

  it('names a Spot group whose price EC2 does not tell', () => {
    const input = scaleUpInput({
      groups: [spot],
      pods: pods(1, 'web'),
      policy: { expander: ['price'] },
    });
    expect(decideScaleUp(input).problems).toMatchObject([
      { code: 'priceMissing', message: expect.stringContaining('no Spot price') },
    ]);
  });
});

describe('a decision with least-nodes or most-pods', () => {
  it('goes by them', () => {
    const parts = {
      groups: [onDemand, { ...large, max: 1 }],
      pods: pods(8, 'web', { requests: cpuAndMemory(900) }),
      policy: { balanceSimilarGroups: false, expander: ['most-pods'] } as const,
    };
    expect(raises(parts)).toEqual([['on-demand', 0, 4]]);
    const policy = { ...parts.policy, expander: ['least-nodes'] } as const;
    expect(raises({ ...parts, policy })[0]).toEqual(['large', 0, 1]);
  });
});
