import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PodView } from '#cluster/snapshot.ts';
import { decideScaleUp } from '#scaling/decide-scale-up.ts';
import { nodesOf, type ScaleUpDecision, type ScaleUpInput } from '#scaling/decision.ts';
import { expanderNames, type ScalingPolicy } from '#scaling/policy.ts';
import { scaleUpInputs } from './scale-up-inputs.ts';

const gangLabel = 'outrider.dev/gang';

const chosenPolicy: fc.Arbitrary<Partial<ScalingPolicy>> = fc.record(
  {
    expander: fc.uniqueArray(fc.constantFrom(...expanderNames), { minLength: 1, maxLength: 3 }),
    balanceSimilarGroups: fc.boolean(),
    pricesMicro: fc.dictionary(fc.constantFrom('m5.large', 'm5.xlarge', 'g4dn.xlarge'), fc.nat(9)),
    limits: fc.record(
      {
        nodes: fc.nat(12),
        newNodes: fc.nat(5),
        resources: fc.record({ cpu: fc.nat(30_000) }),
      },
      { requiredKeys: [] },
    ),
    groups: fc.constantFrom(
      [],
      [{ match: '*', headroom: { nodes: 1 } }],
      [{ match: 'a*', maxNodes: 2, headroom: { pods: { count: 2, requests: { cpu: 500 } } } }],
    ),
  },
  { requiredKeys: [] },
);

/** Some pods are in one of two gangs. */
const inputs: fc.Arbitrary<ScaleUpInput> = fc
  .tuple(scaleUpInputs, chosenPolicy, fc.infiniteStream(fc.constantFrom('', '', 'x', 'y')))
  .map(([input, policy, gangs]) => ({
    ...input,
    policy: { ...input.policy, ...policy },
    snapshot: {
      ...input.snapshot,
      pods: input.snapshot.pods.map((pod) => {
        const gang = gangs.next().value ?? '';
        return gang === '' ? pod : { ...pod, labels: { ...pod.labels, [gangLabel]: gang } };
      }),
    },
  }));

const holds = (check: (input: ScaleUpInput, decision: ScaleUpDecision) => void): void =>
  fc.assert(
    fc.property(inputs, (input) => check(input, decideScaleUp(input))),
    { numRuns: 150 },
  );

const applied = (input: ScaleUpInput, { scaleUps }: ScaleUpDecision): ScaleUpInput => ({
  ...input,
  nodeGroups: {
    ...input.nodeGroups,
    groups: input.nodeGroups.groups.map((group) => {
      const raise = scaleUps.find(({ group: name }) => name === group.name);
      return raise === undefined ? group : { ...group, desired: raise.to };
    }),
  },
});

const alone = (pod: PodView): PodView => {
  const { podAffinity: _friends, podAntiAffinity: _foes, topologySpread: _spread, ...rest } = pod;
  return rest;
};

describe('every way of choosing', () => {
  it('keeps its limits', () => {
    holds(({ snapshot, policy, nodeGroups, ledger }, { scaleUps }) => {
      // What the ledger knows of and desired capacity does not show yet is on its way already.
      const known = (name: string) => ledger.find(({ group }) => group === name)?.to ?? 0;
      const added = scaleUps.reduce(
        (sum, { group, from, to, nodes }) =>
          sum + nodesOf({ from: Math.max(from, known(group)), to, ...(nodes && { nodes }) }),
        0,
      );
      const { nodes, newNodes } = policy.limits ?? {};
      if (newNodes !== undefined) expect(added).toBeLessThanOrEqual(newNodes);
      if (nodes !== undefined && added > 0) {
        expect(snapshot.nodes.length + added).toBeLessThanOrEqual(nodes);
      }
      for (const { group: name, to } of scaleUps) {
        const group = nodeGroups.groups.find((one) => one.name === name);
        expect(to).toBeLessThanOrEqual(group?.max ?? 0);
      }
    });
  });

  it('plans all pods of a gang or none', () => {
    holds(({ snapshot }, { scaleUps, fits, stuck }) => {
      const planned = new Set([
        ...scaleUps.flatMap(({ pods }) => pods),
        ...fits.map(({ pod }) => pod),
      ]);
      const left = new Map(stuck.map(({ pod, reasons }) => [pod, reasons]));
      for (const gang of ['x', 'y']) {
        const waiting = snapshot.pods
          .filter(({ labels, nodeName }) => labels[gangLabel] === gang && nodeName === undefined)
          .map(({ namespace, name }) => `${namespace}/${name}`);
        const some = waiting.filter((pod) => planned.has(pod)).length;
        expect([0, waiting.length]).toContain(some);
        for (const pod of waiting.filter((one) => left.has(one))) {
          const codes = left.get(pod)?.map(({ code }) => code) ?? [];
          expect(codes.some((code) => ['gangIncomplete', 'notJudged'].includes(code))).toBe(true);
        }
      }
    });
  });

  it('decides alike for any order of groups and pods', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const turned = {
          ...input,
          snapshot: { ...input.snapshot, pods: input.snapshot.pods.toReversed() },
          nodeGroups: { ...input.nodeGroups, groups: input.nodeGroups.groups.toReversed() },
        };
        expect(decideScaleUp(turned)).toEqual(decideScaleUp(input));
      }),
      { numRuns: 60 },
    );
  });

  it('adds nothing more for what it has raised, unless that helps a pod that was stuck', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        // Without limits, and without pods for which a node more changes where others may run.
        const unlimited = {
          ...input,
          policy: { ...input.policy, limits: {} },
          snapshot: { ...input.snapshot, pods: input.snapshot.pods.map(alone) },
        };
        const first = decideScaleUp(unlimited);
        const second = decideScaleUp(applied(unlimited, first));
        // Those that nothing is added for may take what the others leave.
        const stuckIn = ({ stuck }: ScaleUpDecision): number =>
          stuck.filter(({ reasons }) => reasons[0]?.code !== 'launchesWithoutBinding').length;
        expect(stuckIn(second)).toBeLessThanOrEqual(stuckIn(first));
        if (stuckIn(second) < stuckIn(first)) return;
        expect(second.scaleUps.map(({ group }) => group)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});
