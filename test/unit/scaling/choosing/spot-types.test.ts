import { describe, expect, it } from 'vitest';
import { spotTypesToAsk } from '#scaling/what-to-ask.ts';
import { group, type InputParts, scaleUpInput } from '../../../helpers/scaling-builders.ts';

const typesOf = (parts: InputParts): number => {
  const { nodeGroups, policy } = scaleUpInput(parts);
  return spotTypesToAsk(nodeGroups, policy).length;
};

const label = 'k8s.io/cluster-autoscaler/node-template/label/node.kubernetes.io/lifecycle';
const spot = group('spot', { tags: { [label]: 'spot' } });
const expander = ['price'] as const;

describe('Spot prices', () => {
  it('are asked for where an expander goes by price and a group is Spot by tag or policy', () => {
    expect(typesOf({ groups: [group('a'), spot], policy: { expander } })).toBe(3);
    const groups = [{ match: 'a', labels: { lifecycle: 'spot' } }];
    expect(typesOf({ groups: [group('a')], policy: { expander, groups } })).toBe(3);
  });

  it('are not asked for otherwise', () => {
    expect(typesOf({ groups: [spot] })).toBe(0);
    expect(typesOf({ groups: [group('a')], policy: { expander } })).toBe(0);
  });
});
