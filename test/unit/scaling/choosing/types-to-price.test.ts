import { describe, expect, it } from 'vitest';
import { typesToPrice } from '#scaling/what-to-ask.ts';
import { group, type InputParts, scaleUpInput } from '../../../helpers/scaling-builders.ts';

/** How many types are asked for, On-Demand and Spot. */
const asked = (parts: InputParts): readonly number[] => {
  const { nodeGroups, policy } = scaleUpInput(parts);
  const { onDemand, spot } = typesToPrice(nodeGroups, policy);
  return [onDemand.length, spot.length];
};

const label = 'k8s.io/cluster-autoscaler/node-template/label/node.kubernetes.io/lifecycle';
const spot = group('spot', { tags: { [label]: 'spot' } });
const mixed = (onDemandBase: number, onDemandPercentAbove: number) =>
  group('mixed', { max: 5, distribution: { onDemandBase, onDemandPercentAbove } });
const expander = ['price'] as const;

describe('prices', () => {
  it('are asked for where an expander goes by price, of the markets that groups launch in', () => {
    expect(asked({ groups: [group('a')], policy: { expander } })).toEqual([3, 0]);
    expect(asked({ groups: [spot], policy: { expander } })).toEqual([0, 3]);
    expect(asked({ groups: [group('a'), spot], policy: { expander } })).toEqual([3, 3]);
    const groups = [{ match: 'a', labels: { lifecycle: 'spot' } }];
    expect(asked({ groups: [group('a')], policy: { expander, groups } })).toEqual([0, 3]);
  });

  it.each([
    [0, 0, [0, 3]],
    [0, 100, [3, 0]],
    [1, 0, [3, 3]],
    [0, 50, [3, 3]],
    [5, 0, [3, 0]],
  ])('are those of a distribution of %i and %i %%', (base, percent, expected) => {
    expect(asked({ groups: [mixed(base, percent)], policy: { expander } })).toEqual(expected);
  });

  it('that people wrote down are not asked for', () => {
    const policy = { expander, pricesMicro: { 'm5.large': 96_000 } };
    expect(asked({ groups: [group('a')], policy })).toEqual([2, 0]);
  });

  it('are not asked for where no expander goes by price', () => {
    expect(asked({ groups: [group('a'), spot] })).toEqual([0, 0]);
  });
});
