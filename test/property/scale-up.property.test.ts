import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PodView } from '#cluster/snapshot.ts';
import type { AutoScalingGroup } from '#scaling/aws-views.ts';
import { daemonSetPodsOf, nodeWithDaemonSets } from '#scaling/daemon-sets.ts';
import { decideScaleUp } from '#scaling/decide-scale-up.ts';
import type { ScaleUpDecision, ScaleUpInput } from '#scaling/decision.ts';
import { matchNodes } from '#scaling/match-nodes.ts';
import { buildTemplates } from '#scaling/node-template.ts';
import { observeLedger } from '#scaling/observe-ledger.ts';
import { fits } from '#scheduling/fit.ts';
import { copyNode, placePod } from '#scheduling/node.ts';
import {
  boundPod,
  daemonSet,
  GiB,
  group,
  instance,
  MiB,
  minute,
  node,
  nodeOf,
  now,
  override,
  pod,
  scaleUpInput,
} from '../helpers/scaling-builders.ts';

const zones = ['us-east-1a', 'us-east-1b', 'us-east-1c'];
const toleration = { key: 'dedicated', operator: 'Exists' as const };

const demand = fc.record({
  cpu: fc.constantFrom(0, 100, 300, 500, 700, 900, 1300, 1900, 3000, 5000),
  memory: fc.constantFrom(0, 256 * MiB, GiB, 3 * GiB, 6 * GiB, 12 * GiB),
  gpu: fc.constantFrom(0, 0, 0, 0, 1),
  zone: fc.constantFrom(undefined, undefined, undefined, ...zones),
  tolerant: fc.boolean(),
  port: fc.constantFrom(undefined, undefined, undefined, undefined, 80, 9100),
  priority: fc.constantFrom(undefined, -11, 0, 0, 0, 100),
  unjudged: fc.constantFrom(false, false, false, false, false, false, true),
});

const toPods = (
  demands: readonly {
    readonly of: typeof demand extends fc.Arbitrary<infer Value> ? Value : never;
    readonly copies: number;
    readonly bound: string | undefined;
  }[],
): readonly PodView[] =>
  demands.flatMap(({ of, copies, bound }, index) =>
    Array.from({ length: copies }, (_, copy) => {
      const name = `pod-${index}-${copy}`;
      const { priority: _priority, ...base } =
        bound === undefined ? pod(name) : boundPod(name, bound);
      return {
        ...base,
        ...(of.priority === undefined ? {} : { priority: of.priority }),
        createdAtMs: now - index * 1000,
        requests: {
          cpu: of.cpu,
          memory: of.memory,
          ...(of.gpu === 0 ? {} : { 'nvidia.com/gpu': of.gpu }),
        },
        nodeSelector: of.zone === undefined ? {} : { 'topology.kubernetes.io/zone': of.zone },
        tolerations: of.tolerant ? [toleration] : [],
        hostPorts:
          of.port === undefined
            ? []
            : [{ protocol: 'TCP' as const, hostIp: '0.0.0.0', port: of.port }],
        notJudged: of.unjudged ? ['podAntiAffinity'] : [],
      };
    }),
  );

const groupArbitrary = (name: string): fc.Arbitrary<AutoScalingGroup> =>
  fc
    .record({
      max: fc.nat(12),
      desiredShare: fc.nat(12),
      zones: fc.uniqueArray(fc.constantFrom(...zones), { minLength: 1, maxLength: 2 }),
      template: fc.constantFrom('lt-m5', 'lt-m5x', 'lt-g4'),
      mixed: fc.constantFrom(false, false, true),
      tainted: fc.constantFrom(false, false, true),
      suspended: fc.constantFrom(false, false, false, true),
      ages: fc.array(fc.constantFrom(1, 5, 40), { maxLength: 4 }),
    })
    .map((of) => {
      const desired = Math.min(of.desiredShare, of.max);
      return group(name, {
        max: of.max,
        desired,
        zones: of.zones,
        launchTemplate: { id: of.template, version: '$Default' },
        overrides: of.mixed ? [override('m5.large'), override('m5.xlarge')] : [],
        tags: of.tainted
          ? { 'k8s.io/cluster-autoscaler/node-template/taint/dedicated': 'x:NoSchedule' }
          : {},
        suspendedProcesses: of.suspended ? ['Launch'] : [],
        instances: of.ages
          .slice(0, desired)
          .map((age, index) =>
            instance(`i-${name}-${index}-${age}`, { zone: of.zones[0] ?? '', type: typeOf(of) }),
          ),
      });
    });

const typeOf = (of: { readonly template: string; readonly mixed: boolean }): string => {
  if (of.mixed) return 'm5.xlarge';
  return { 'lt-m5': 'm5.large', 'lt-m5x': 'm5.xlarge' }[of.template] ?? 'g4dn.xlarge';
};

/** Nodes of the instances: the age is in the id; the youngest are not ready. */
const nodesOf = (groups: readonly AutoScalingGroup[]) =>
  groups.flatMap(({ instances }) =>
    instances.map((one) => {
      const age = Number(one.id.split('-').at(-1));
      return nodeOf(one, {
        createdAtMs: now - age * minute,
        ready: age === 1 ? 'False' : 'True',
        labels: { 'topology.kubernetes.io/zone': one.zone },
      });
    }),
  );

const inputArbitrary: fc.Arbitrary<ScaleUpInput> = fc
  .record({
    groups: fc
      .subarray(['alpha', 'beta', 'gamma', 'delta'], { minLength: 1 })
      .chain((names) => fc.tuple(...names.map(groupArbitrary))),
    loose: fc.nat(2),
    demands: fc.array(
      fc.record({
        of: demand,
        copies: fc.integer({ min: 1, max: 6 }),
        bound: fc.constantFrom(undefined, undefined, undefined, 'loose-0', 'node-i-alpha-0-5'),
      }),
      { maxLength: 12 },
    ),
    agents: fc.array(
      fc.record({ cpu: fc.constantFrom(0, 50, 400), tolerant: fc.boolean(), port: fc.boolean() }),
      { maxLength: 2 },
    ),
  })
  .map(({ groups, loose, demands, agents }) =>
    scaleUpInput({
      groups,
      nodes: [
        ...Array.from({ length: loose }, (_, index) => node(`loose-${index}`)),
        ...nodesOf(groups),
      ],
      pods: toPods(demands),
      daemonSets: agents.map((agent, index) =>
        daemonSet(`agent-${index}`, {
          requests: { cpu: agent.cpu },
          tolerations: agent.tolerant ? [{ operator: 'Exists' }] : [],
          hostPorts: agent.port ? [{ protocol: 'TCP', hostIp: '0.0.0.0', port: 9100 }] : [],
        }),
      ),
    }),
  );

const candidatesOf = (input: ScaleUpInput): readonly string[] =>
  input.snapshot.pods
    .filter((one) => one.nodeName === undefined && (one.priority ?? 0) >= -10)
    .map((one) => `default/${one.name}`)
    .sort();

const groupOf = (input: ScaleUpInput, name: string): AutoScalingGroup => {
  const found = input.nodeGroups.groups.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no group ${name}`);
  return found;
};

const applied = (input: ScaleUpInput, decision: ScaleUpDecision): ScaleUpInput => ({
  ...input,
  nodeGroups: {
    ...input.nodeGroups,
    groups: input.nodeGroups.groups.map((one) => {
      const raise = decision.scaleUps.find((scaleUp) => scaleUp.group === one.name);
      return raise === undefined ? one : { ...one, desired: raise.to };
    }),
  },
});

const holds = (check: (input: ScaleUpInput, decision: ScaleUpDecision) => void): void =>
  fc.assert(
    fc.property(inputArbitrary, (input) => check(input, decideScaleUp(input))),
    { numRuns: 300 },
  );

describe('every scale-up decision', () => {
  it('stays within the maximum, only raises, and raises from the current desired capacity', () => {
    holds((input, decision) => {
      for (const { group: name, from, to } of decision.scaleUps) {
        const { desired, max, suspendedProcesses } = groupOf(input, name);
        expect(from).toBe(desired);
        expect(to).toBeGreaterThan(from);
        expect(to).toBeLessThanOrEqual(max);
        expect(suspendedProcesses).toEqual([]);
      }
    });
  });

  it('puts every candidate pod in exactly one of scaleUps, fits and stuck', () => {
    holds((input, { scaleUps, fits: fitting, stuck }) => {
      const all = [
        ...scaleUps.flatMap(({ pods }) => pods),
        ...fitting.map(({ pod: name }) => name),
        ...stuck.map(({ pod: name }) => name),
      ];
      expect(all.sort()).toEqual(candidatesOf(input));
    });
  });

  it('gives each stuck pod a reason of every group', () => {
    holds((input, { stuck }) => {
      const names = input.nodeGroups.groups.map(({ name }) => name).sort();
      for (const { reasons } of stuck) {
        if (reasons[0]?.code === 'notJudged') continue;
        expect(reasons.map((reason) => reason.group)).toEqual(names);
        for (const { message } of reasons) expect(message).not.toBe('');
      }
    });
  });

  it('is the same for any order of the lists', () => {
    fc.assert(
      fc.property(inputArbitrary, fc.infiniteStream(fc.nat()), (input, numbers) => {
        const shuffled = <Value>(values: readonly Value[]): readonly Value[] =>
          values
            .map((value) => ({ value, at: numbers.next().value }))
            .sort((a, b) => a.at - b.at)
            .map(({ value }) => value);
        const other: ScaleUpInput = {
          ...input,
          snapshot: {
            ...input.snapshot,
            nodes: shuffled(input.snapshot.nodes),
            pods: shuffled(input.snapshot.pods),
            daemonSets: shuffled(input.snapshot.daemonSets),
          },
          nodeGroups: {
            ...input.nodeGroups,
            groups: shuffled(input.nodeGroups.groups).map((one) => ({
              ...one,
              zones: shuffled(one.zones),
              instances: shuffled(one.instances),
              overrides: shuffled(one.overrides),
            })),
            launchTemplates: shuffled(input.nodeGroups.launchTemplates),
            instanceTypes: shuffled(input.nodeGroups.instanceTypes),
          },
        };
        expect(JSON.stringify(decideScaleUp(other))).toBe(JSON.stringify(decideScaleUp(input)));
      }),
      { numRuns: 200 },
    );
  });

  it('adds nothing more once it has been carried out, by desired capacity or ledger', () => {
    holds((input, decision) => {
      expect(decideScaleUp(applied(input, decision)).scaleUps).toEqual([]);
      const ledger = decision.scaleUps.map(({ group: name, to }) => ({
        group: name,
        generation: 1,
        to,
        instances: {},
      }));
      expect(decideScaleUp({ ...input, ledger }).scaleUps).toEqual([]);
    });
  });

  it('finds a place for the pods it raised groups for, once it has been carried out', () => {
    holds((input, decision) => {
      const after = decideScaleUp(applied(input, decision));
      expect(after.stuck.map(({ pod: name }) => name)).toEqual(
        decision.stuck.map(({ pod: name }) => name),
      );
    });
  });

  it('survives a JSON round trip of its input byte for byte', () => {
    holds((input, decision) => {
      const copy: ScaleUpInput = JSON.parse(JSON.stringify(input));
      expect(JSON.stringify(decideScaleUp(copy))).toBe(JSON.stringify(decision));
    });
  });

  it('plans new nodes that no template of their group would be overcommitted by', () => {
    holds((input, decision) => {
      const live = matchNodes(input.nodeGroups.groups, input.snapshot.nodes);
      const byName = new Map(input.snapshot.pods.map((one) => [`default/${one.name}`, one]));
      for (const { group: name, from, to, pods } of decision.scaleUps) {
        const view = groupOf(input, name);
        const { templates } = buildTemplates(view, {
          aws: input.nodeGroups,
          policy: input.policy,
          clusterRunsVpcCni: false,
          live: [...(live.get(name)?.values() ?? [])],
          nowMs: now,
        });
        for (const template of templates) {
          const empty = nodeWithDaemonSets(template.node, daemonSetPodsOf(input.snapshot));
          const nodes = Array.from({ length: to - from }, () => copyNode(empty));
          for (const key of pods) {
            const one = byName.get(key);
            if (one === undefined) throw new Error(`no pod ${key}`);
            const target = nodes.find((candidate) => fits(one, candidate));
            expect(target, `${key} on ${template.node.name}`).toBeDefined();
            if (target !== undefined) placePod(one, target);
          }
          // A group of several types is planned by its smallest: larger ones may stay empty.
          if (templates.length > 1) continue;
          expect(nodes.every(({ podCount }) => podCount > empty.podCount)).toBe(true);
        }
      }
    });
  });
});

describe('looking again and again while AWS launches nothing', () => {
  it('stops raising a group a start limit after it began to, and soon raises nothing at all', () => {
    fc.assert(
      fc.property(inputArbitrary, fc.constantFrom(5, 10, 16), (first, minutesApart) => {
        const raisedAt = new Map<string, number[]>();
        let input = first;
        for (let minutes = 0; minutes < 180; minutes += minutesApart) {
          const seen = { ...input, ledger: observeLedger(input).entries };
          const decision = decideScaleUp(seen);
          for (const { group: name } of decision.scaleUps) {
            raisedAt.set(name, [...(raisedAt.get(name) ?? []), minutes]);
          }
          input = { ...applied(seen, decision), nowMs: input.nowMs + minutesApart * minute };
        }
        for (const times of raisedAt.values()) {
          expect(Math.max(...times) - Math.min(...times)).toBeLessThanOrEqual(15 + minutesApart);
          expect(Math.max(...times)).toBeLessThan(150);
        }
      }),
      { numRuns: 150 },
    );
  });
});

describe('observing the ledger', () => {
  it('changes nothing at the second look', () => {
    fc.assert(
      fc.property(inputArbitrary, (input) => {
        const { entries } = observeLedger(input);
        const again = observeLedger({ ...input, ledger: entries });
        expect(again.changed).toEqual([]);
        expect(again.entries).toEqual(entries);
      }),
    );
  });
});
