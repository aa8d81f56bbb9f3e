import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PodView, podKey } from '#cluster/snapshot.ts';
import type { AutoScalingGroup } from '#scaling/aws-views.ts';
import { type DaemonSetPods, daemonSetPodsOf } from '#scaling/daemon-sets.ts';
import { decideScaleUp } from '#scaling/decide-scale-up.ts';
import type { ScaleUpDecision, ScaleUpInput } from '#scaling/decision.ts';
import { matchNodes } from '#scaling/match-nodes.ts';
import { buildTemplates } from '#scaling/node-template.ts';
import { observeLedger } from '#scaling/observe-ledger.ts';
import type { NodeTemplate } from '#scheduling/node.ts';
import { type LoneNode, loneNode } from '../helpers/lone-node.ts';
import { minute, now } from '../helpers/scaling-builders.ts';
import { scaleUpInputs } from './scale-up-inputs.ts';

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
    fc.property(scaleUpInputs, (input) => check(input, decideScaleUp(input))),
    { numRuns: 300 },
  );

const alone = (one: PodView): PodView => {
  if (!one.podAffinity && !one.podAntiAffinity && !one.topologySpread) return one;
  const { podAffinity: _friends, podAntiAffinity: _foes, topologySpread: _spread, ...rest } = one;
  return rest;
};

/** The pod as its labels and taints alone place it. */
const unasking = (one: PodView | DaemonSetPods[number]) => ({
  ...one,
  requests: {},
  hostPorts: [],
});

/** A new node with the pods of every DaemonSet that labels and taints let there, whatever they ask for. */
const nodeWithDaemonSets = (template: NodeTemplate, pods: DaemonSetPods): LoneNode => {
  const node = loneNode(template);
  for (const one of pods) {
    if (loneNode({ ...template, allocatable: { pods: 1 } }).fits(unasking(one))) node.place(one);
  }
  return node;
};

/**
 * Where pods decide about each other's places and one found none, another look at the new nodes may find one, or
 * the node that opens one.
 */
const maySettleLater = ({ snapshot }: ScaleUpInput, { stuck }: ScaleUpDecision): boolean => {
  const names = new Set(stuck.map(({ pod: name }) => name));
  return (
    snapshot.pods.some((one) => alone(one) !== one) &&
    snapshot.pods.some((one) => names.has(`default/${one.name}`) && one.notJudged.length === 0)
  );
};

describe('the inputs of these properties', () => {
  it('let much be raised, often two groups at once, with and without a ledger, and some be taken back', () => {
    let [asked, raised, severalRaised, raisedBesideLedger, tookBack] = [0, 0, 0, 0, 0];
    fc.assert(
      fc.property(scaleUpInputs, (input) => {
        const { scaleUps, takeBacks } = decideScaleUp(input);
        asked += 1;
        if (takeBacks.length > 0) tookBack += 1;
        if (scaleUps.length > 0) raised += 1;
        if (scaleUps.length > 1) severalRaised += 1;
        if (scaleUps.length > 0 && input.ledger.length > 0) raisedBesideLedger += 1;
      }),
      { numRuns: 500, seed: 1 },
    );
    expect(raised / asked).toBeGreaterThanOrEqual(0.4);
    expect(severalRaised / asked).toBeGreaterThanOrEqual(0.1);
    expect(raisedBesideLedger / asked).toBeGreaterThanOrEqual(0.2);
    expect(tookBack / asked).toBeGreaterThanOrEqual(0.01);
  });
});

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

  it('raises no group that is backed off, and adds nothing for pods launched for in vain', () => {
    holds((input, { scaleUps }) => {
      const launches = (name: string): number =>
        input.ledger.reduce(
          (sum, { launchesFor, openLaunches }) =>
            sum + (launchesFor?.[`uid-${name}`] ?? 0) - (openLaunches?.[`uid-${name}`] ? 1 : 0),
          0,
        );
      for (const { group: name, pods } of scaleUps) {
        const entry = input.ledger.find((one) => one.group === name);
        expect(entry?.backOff?.untilMs ?? 0).toBeLessThanOrEqual(input.nowMs);
        for (const key of pods) expect(launches(key.slice('default/'.length))).toBeLessThan(3);
      }
    });
  });

  it('takes back only from backed-off groups, and never below what is there or the minimum', () => {
    holds((input, { takeBacks, scaleUps }) => {
      for (const { group: name, from, to } of takeBacks) {
        const { desired, min, instances, newInstancesProtected } = groupOf(input, name);
        const entry = input.ledger.find((one) => one.group === name);
        expect(entry?.backOff?.untilMs ?? 0).toBeGreaterThan(input.nowMs);
        expect([from, newInstancesProtected]).toEqual([desired, true]);
        expect(to).toBeLessThan(from);
        expect(to).toBeGreaterThanOrEqual(Math.max(min, instances.length));
        expect(scaleUps.map((one) => one.group)).not.toContain(name);
      }
    });
  });

  it('puts every candidate pod in exactly one of scaleUps, fits and stuck, or expects it to preempt', () => {
    holds((input, { scaleUps, fits: fitting, stuck, ignored }) => {
      const running = new Set(input.snapshot.pods.filter((one) => one.nodeName).map(podKey));
      const all = [
        // Those that run are driven out by pods that preempt.
        ...scaleUps.flatMap(({ pods }) => pods).filter((name) => !running.has(name)),
        ...fitting.map(({ pod: name }) => name),
        ...stuck.map(({ pod: name }) => name),
        ...ignored.filter(({ code }) => code === 'willPreempt').map(({ pod: name }) => name),
      ];
      expect(all.sort()).toEqual(candidatesOf(input));
    });
  });

  it('gives each stuck pod a reason of every group', () => {
    holds((input, { stuck }) => {
      const names = input.nodeGroups.groups.map(({ name }) => name).sort();
      for (const { reasons } of stuck) {
        if (['notJudged', 'launchesWithoutBinding'].includes(reasons[0]?.code ?? '')) continue;
        expect(reasons.map((reason) => reason.group)).toEqual(names);
        for (const { message } of reasons) expect(message).not.toBe('');
      }
    });
  });

  it('is the same for any order of the lists', () => {
    fc.assert(
      fc.property(scaleUpInputs, fc.infiniteStream(fc.nat()), (input, numbers) => {
        const shuffled = <Value>(values: readonly Value[]): readonly Value[] =>
          values
            .map((value) => ({ value, at: numbers.next().value }))
            .sort((a, b) => a.at - b.at)
            .map(({ value }) => value);
        const other: ScaleUpInput = {
          ...input,
          ledger: shuffled(input.ledger),
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
            launches: shuffled(input.nodeGroups.launches ?? []),
          },
        };
        expect(JSON.stringify(decideScaleUp(other))).toBe(JSON.stringify(decideScaleUp(input)));
        expect(observeLedger(other).entries).toEqual(observeLedger(input).entries);
      }),
      { numRuns: 200 },
    );
  });

  it('adds nothing more once it has been carried out, by desired capacity or ledger', () => {
    holds((input, decision) => {
      if (maySettleLater(input, decision)) return;
      expect(decideScaleUp(applied(input, decision)).scaleUps).toEqual([]);
      const raisedTo = new Map(decision.scaleUps.map(({ group: name, to }) => [name, to]));
      const ledger = input.nodeGroups.groups.map(({ name }) => {
        const to = raisedTo.get(name);
        const entry = input.ledger.find((one) => one.group === name);
        const before = entry ?? { group: name, generation: 1, instances: {} };
        return to === undefined ? before : { ...before, to };
      });
      expect(decideScaleUp({ ...input, ledger }).scaleUps).toEqual([]);
    });
  });

  it('finds a place for the pods it raised groups for, once it has been carried out', () => {
    holds((input, decision) => {
      if (maySettleLater(input, decision)) return;
      const after = decideScaleUp(applied(input, decision));
      // Those that nothing is added for may take what the others leave.
      const namesOf = ({ stuck }: ScaleUpDecision): readonly string[] =>
        stuck
          .filter(({ reasons }) => reasons[0]?.code !== 'launchesWithoutBinding')
          .map(({ pod: name }) => name);
      expect(namesOf(after)).toEqual(namesOf(decision));
    });
  });

  it('survives a JSON round trip of its input byte for byte', () => {
    holds((input, decision) => {
      const copy: ScaleUpInput = JSON.parse(JSON.stringify(input));
      expect(JSON.stringify(decideScaleUp(copy))).toBe(JSON.stringify(decision));
    });
  });

  it('plans new nodes that no template of their group would be overcommitted by', () => {
    holds((asked) => {
      // Without what pods decide about each other and without replay: first fit in the decision's order shows it.
      const input = {
        ...asked,
        policy: { ...asked.policy, replaysScheduler: false },
        snapshot: { ...asked.snapshot, pods: asked.snapshot.pods.map(alone) },
      };
      const decision = decideScaleUp(input);
      const live = matchNodes(input.nodeGroups.groups, input.snapshot.nodes);
      const byName = new Map(input.snapshot.pods.map((one) => [`default/${one.name}`, one]));
      for (const { group: name, to, pods, nodes: planned } of decision.scaleUps) {
        const view = groupOf(input, name);
        const entry = input.ledger.find((one) => one.group === name);
        const added = planned ?? to - Math.max(view.desired, entry?.to ?? 0);
        const { templates } = buildTemplates(view, {
          aws: input.nodeGroups,
          policy: input.policy,
          clusterRunsVpcCni: false,
          live: [...(live.get(name)?.values() ?? [])],
          nowMs: now,
        });
        // Which template comes is not known: a pod has a node only where each of them would take it.
        const empty = () =>
          templates.map((template) =>
            nodeWithDaemonSets(template.node, daemonSetPodsOf(input.snapshot)),
          );
        const nodes = Array.from({ length: added }, empty);
        for (const key of pods) {
          const one = byName.get(key);
          if (one === undefined) throw new Error(`no pod ${key}`);
          const target = nodes.find((kinds) => kinds.every((kind) => kind.fits(one)));
          expect(target, `${key} in ${name}`).toBeDefined();
          for (const kind of target ?? []) kind.place(one);
        }
        const used = ([kind]: readonly LoneNode[]) =>
          (kind?.podCount ?? 0) > (empty()[0]?.podCount ?? 0);
        expect(nodes.every(used)).toBe(true);
      }
    });
  });
});

describe('looking again and again while AWS launches nothing', () => {
  it('raises no group while it is backed off, and none to more than its pods ask for', () => {
    fc.assert(
      fc.property(scaleUpInputs, fc.constantFrom(5, 10, 16), (given, minutesApart) => {
        // Pods that are driven out get nodes too: without preemption only those that wait do.
        const first: ScaleUpInput = {
          ...given,
          policy: { ...given.policy, preemptionLimitSeconds: 0 },
        };
        const asked = candidatesOf(first).length;
        const before = new Map(first.nodeGroups.groups.map((one) => [one.name, one.desired]));
        let input = first;
        for (let minutes = 0; minutes < 180; minutes += minutesApart) {
          const seen = { ...input, ledger: observeLedger(input).entries };
          const decision = decideScaleUp(seen);
          for (const { group: name, to } of decision.scaleUps) {
            const entry = seen.ledger.find((one) => one.group === name);
            expect(entry?.backOff?.untilMs ?? 0).toBeLessThanOrEqual(seen.nowMs);
            const had = Math.max(
              before.get(name) ?? 0,
              first.ledger.find((one) => one.group === name)?.to ?? 0,
              // A heavy instance may be more than was asked for.
              groupOf(first, name).instances.reduce((sum, { weight = 1 }) => sum + weight, 0),
            );
            const { overrides, zones } = groupOf(first, name);
            const heaviest = Math.max(1, ...overrides.map(({ weight = 1 }) => weight));
            // Pods that want one zone wait for its turn: AWS launches in each.
            const turns = first.snapshot.pods.some((one) => alone(one) !== one) ? zones.length : 1;
            expect(to).toBeLessThanOrEqual(had + asked * heaviest * turns);
          }
          input = { ...applied(seen, decision), nowMs: input.nowMs + minutesApart * minute };
        }
      }),
      { numRuns: 150 },
    );
  });
});

describe('observing the ledger', () => {
  it('changes nothing at the second look, at whatever time the first was taken', () => {
    fc.assert(
      fc.property(scaleUpInputs, fc.array(fc.integer({ min: -30, max: 240 })), (first, minutes) => {
        let ledger = first.ledger;
        for (const later of [0, ...minutes]) {
          const input = { ...first, nowMs: now + later * minute };
          const { entries } = observeLedger({ ...input, ledger });
          const again = observeLedger({ ...input, ledger: entries });
          expect(again.changed).toEqual([]);
          expect(again.entries).toEqual(entries);
          ledger = entries;
        }
      }),
      { numRuns: 200 },
    );
  });
});
