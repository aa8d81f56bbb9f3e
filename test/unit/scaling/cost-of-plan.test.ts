import { describe, expect, it } from 'vitest';
import { costOfPlan } from '#scaling/cost-of-plan.ts';
import type { ScaleUp } from '#scaling/decision.ts';
import { group, node, scaleUpInput } from '../../helpers/scaling-builders.ts';

const prices = {
  file: 'prices.json',
  content: { 'm5.large': { onDemand: 0.1, spot: { 'us-east-1a': 0.03 } } },
};

const raise: ScaleUp = {
  group: 'workers-a',
  from: 0,
  to: 2,
  zone: 'us-east-1a',
  instanceType: 'm5.large',
  pods: [],
  reason: '',
};

const ofGroup = (labels: Readonly<Record<string, string>>) =>
  scaleUpInput({ policy: { groups: [{ match: 'workers-*', labels }] } });

describe('the price of new nodes', () => {
  it('is the one on demand where no label says Spot', () => {
    expect(costOfPlan(prices, ofGroup({}), [raise])).toEqual({
      before: 0,
      after: 0.2,
      problems: [],
    });
  });

  it('is the Spot price where the labels of the policy say so', () => {
    expect(costOfPlan(prices, ofGroup({ lifecycle: 'spot' }), [raise]).after).toBe(0.06);
  });

  it('is for each node that of its market, by the distribution of a mixed-instances policy', () => {
    const distribution = { onDemandBase: 1, onDemandPercentAbove: 0 };
    const input = scaleUpInput({ groups: [group('workers-a', { distribution })] });
    expect(costOfPlan(prices, input, [raise]).after).toBe(0.13);
  });

  it('is the Spot price where a tag of the group says so', () => {
    const tag = 'k8s.io/cluster-autoscaler/node-template/label/lifecycle';
    const input = scaleUpInput({ groups: [group('workers-a', { tags: { [tag]: 'Spot' } })] });
    expect(costOfPlan(prices, input, [raise]).after).toBe(0.06);
  });

  it('is not known where AWS chooses the type', () => {
    const { instanceType: _, ...anyType } = raise;
    expect(costOfPlan(prices, ofGroup({}), [anyType])).toEqual({ before: 0, problems: [] });
  });
});

it('prices nodes by their labels, and those without a type not at all', () => {
  const labels = { 'node.kubernetes.io/instance-type': 'm5.large' };
  const spot = { ...labels, lifecycle: 'spot', 'topology.kubernetes.io/zone': 'us-east-1a' };
  const nodes = [node('a', { labels }), node('b', { labels: spot }), node('c', { labels: {} })];
  expect(costOfPlan(prices, scaleUpInput({ nodes }), []).before).toBe(0.13);
});
