import { describe, expect, it } from 'vitest';
import { decideScaleUp } from '#scaling/decide-scale-up.ts';
import type { ScaleUpInput } from '#scaling/decision.ts';
import {
  group,
  type InputParts,
  MiB,
  node,
  pod,
  scaleUpInput,
} from '../../helpers/scaling-builders.ts';

/** Pods of which no two ask alike, the larger the higher the number. */
const kinds = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    pod(`web-${index}`, { requests: { cpu: 500 + index, memory: 64 * MiB } }),
  );

const within = (trialsPerDecision: number, parts: InputParts): ScaleUpInput =>
  scaleUpInput({ ...parts, policy: { trialsPerDecision } });

const codesOf = (input: ScaleUpInput) => [
  ...new Set(decideScaleUp(input).stuck.map(({ reasons }) => reasons[0]?.code)),
];

const largest = { groups: [group('a', { max: 500 }), group('b', { max: 500 })] };

describe('a decision whose trials are used up', () => {
  it('says of each pod that it did not look at so, and places the first ones all the same', () => {
    const input = within(8000, { ...largest, pods: kinds(200) });
    const { scaleUps, stuck } = decideScaleUp(input);
    expect(codesOf(input)).toEqual(['notLookedAt']);
    expect(stuck[0]?.reasons[0]?.message).toContain('the 8000 trials of one decision');
    const raised = scaleUps.flatMap(({ pods }) => pods);
    expect(raised).toContain('default/web-199');
    expect(raised.length + stuck.length).toBe(200);
  });

  it('gets to the end over several looks', () => {
    const groups = Array.from({ length: 20 }, (_, index) => group(`g-${index}`, { max: 5 }));
    let input = within(24_000, { groups, pods: kinds(200) });
    let looks = 0;
    for (; looks < 20; looks += 1) {
      const { scaleUps } = decideScaleUp(input);
      if (scaleUps.length === 0) break;
      const sizes = new Map(scaleUps.map(({ group: name, to }) => [name, to]));
      const groups = input.nodeGroups.groups.map((one) => ({
        ...one,
        desired: sizes.get(one.name) ?? one.desired,
      }));
      input = { ...input, nodeGroups: { ...input.nodeGroups, groups } };
    }
    expect(looks).toBeGreaterThan(1);
    expect(decideScaleUp(input).fits).toHaveLength(200);
  });

  it('leaves pods unlooked at where existing nodes alone use them up', () => {
    const nodes = Array.from({ length: 300 }, (_, index) => node(`n-${index}`));
    const tolerant = within(2000, {
      nodes: nodes.map((one) => ({
        ...one,
        taints: [{ key: 'x', value: '', effect: 'NoSchedule' as const }],
      })),
      pods: kinds(50),
      groups: [],
    });
    expect(codesOf(tolerant)).toContain('notLookedAt');
    expect(
      codesOf({ ...tolerant, policy: { ...tolerant.policy, trialsPerDecision: 1e7 } }),
    ).toEqual(['noGroups']);
  });

  it('does not spend them on nodes that selectors rule out', () => {
    const nodes = Array.from({ length: 300 }, (_, index) => node(`n-${index}`));
    const tenants = Array.from({ length: 300 }, (_, index) =>
      pod(`web-${index}`, { nodeSelector: { tenant: `t-${index}` } }),
    );
    expect(codesOf(within(200_000, { nodes, pods: tenants }))).toEqual(['nodeSelector']);
  });
});
