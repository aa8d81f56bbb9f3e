import { describe, expect, it } from 'vitest';
import type { PodView } from '#cluster/snapshot.ts';
import { choosingOf } from '#scaling/choosing/choosing.ts';
import { gangsOf } from '#scaling/choosing/gangs.ts';
import { groupStatesOf } from '#scaling/group-state.ts';
import { occupancyOf } from '#scaling/occupancy.ts';
import { planScaleUp } from '#scaling/planning/plan.ts';
import { planGangs } from '#scaling/planning/plan-gangs.ts';
import { defaultGangPolicy } from '#scaling/policy.ts';
import { decide, raises } from '../../../helpers/decide.ts';
import {
  boundPod,
  cpuAndMemory,
  group,
  instance,
  nodeOf,
  pod,
  pods,
  scaleUpInput,
} from '../../../helpers/scaling-builders.ts';

/** One of them fills a m5.large. */
const wide = { requests: cpuAndMemory(1500) };
const key = 'scheduling.x-k8s.io/pod-group';
const minimumKey = 'pod-group.scheduling.sigs.k8s.io/min-available';

const gang = (name: string, count: number, over: Partial<PodView> = {}) =>
  pods(count, name, { ...wide, ...over, labels: { [key]: name, ...over.labels } });

const stuckOf = (parts: Parameters<typeof decide>[0]) =>
  Object.fromEntries(
    decide(parts).stuck.map(({ pod: name, reasons }) => [
      name.slice('default/'.length),
      reasons.map(({ code }) => code),
    ]),
  );

describe('a gang', () => {
  it('gets nodes for all of its pods', () => {
    const parts = { groups: [group('a')], pods: gang('job', 4) };
    expect(raises(parts)).toEqual([['a', 0, 4]]);
    expect(decide(parts).stuck).toEqual([]);
  });

  it('gets none where one of its pods finds no place, and is told who lacks what', () => {
    const parts = { groups: [group('a', { max: 3 })], pods: gang('job', 4) };
    const { scaleUps, stuck } = decide(parts);
    expect(scaleUps).toEqual([]);
    expect(stuck).toHaveLength(4);
    for (const { reasons } of stuck) {
      expect(reasons).toEqual([
        {
          code: 'gangIncomplete',
          message:
            'the gang default/job needs 4 pods at once: 3 of 4 find a place and default/job-4 does not, so that nothing is added for any of them',
        },
        {
          group: 'a',
          code: 'groupAtMaximum',
          message: 'it is at its maximum of 3 nodes: raise MaxSize',
        },
      ]);
    }
  });

  it('leaves the room that it does not get whole to others', () => {
    const parts = {
      groups: [group('a', { max: 2 })],
      pods: [...gang('job', 3), ...pods(2, 'web', { ...wide, createdAtMs: 1_800_000_000_000 })],
    };
    expect(raises(parts)).toEqual([['a', 0, 2]]);
    expect(Object.keys(stuckOf(parts))).toEqual(['job-1', 'job-2', 'job-3']);
  });

  it('that finds no place beside another is tried again without it', () => {
    const parts = {
      groups: [group('a', { max: 3 })],
      pods: [...gang('first', 2), ...gang('second', 2), ...gang('third', 4)],
    };
    expect(raises(parts)).toEqual([['a', 0, 2]]);
    expect(Object.keys(stuckOf(parts))).toEqual([
      'second-1',
      'second-2',
      'third-1',
      'third-2',
      'third-3',
      'third-4',
    ]);
  });

  it('of higher priority goes first', () => {
    const parts = {
      groups: [group('a', { max: 3 })],
      pods: [...gang('a', 2), ...gang('b', 3, { priority: 10 })],
    };
    expect(decide(parts).scaleUps[0]?.pods).toEqual(['default/b-1', 'default/b-2', 'default/b-3']);
  });

  it('needs no more pods than it says', () => {
    const parts = {
      groups: [group('a', { max: 3 })],
      pods: gang('job', 4, { labels: { [minimumKey]: '3' } }),
    };
    expect(raises(parts)).toEqual([['a', 0, 3]]);
    expect(stuckOf(parts)).toEqual({ 'job-4': ['groupAtMaximum'] });
  });

  it('waits until enough of its pods wait', () => {
    const parts = { pods: gang('job', 2, { labels: { [minimumKey]: '3' } }) };
    expect(raises(parts)).toEqual([]);
    expect(stuckOf(parts)).toEqual({ 'job-1': ['gangIncomplete'], 'job-2': ['gangIncomplete'] });
    const untried = pod('job-3', { ...wide, labels: { [key]: 'job' } });
    const { scheduled: _, ...notYet } = untried;
    expect(raises({ pods: [...gang('job', 2), notYet] })).toEqual([]);
    expect(raises({ pods: [...gang('job', 2), untried] })).toEqual([['workers-a', 0, 3]]);
  });

  it('of which some run needs only the rest, and those that are over do not count', () => {
    const there = instance('i-1');
    const labels = { [key]: 'job', [minimumKey]: '3' };
    const parts = {
      groups: [group('a', { desired: 1, max: 3, instances: [there] })],
      nodes: [nodeOf(there)],
      pods: [
        boundPod('job-0', 'node-i-1', { ...wide, labels }),
        boundPod('job-9', 'node-i-1', { ...wide, labels, phase: 'Succeeded' }),
        ...gang('job', 2, { labels }),
      ],
    };
    expect(raises(parts)).toEqual([['a', 1, 3]]);
    expect(raises({ ...parts, groups: [{ ...parts.groups[0], max: 2 } as never] })).toEqual([]);
  });

  it('is one of its namespace', () => {
    const elsewhere = gang('job', 2, { namespace: 'other', labels: { [minimumKey]: '2' } });
    const parts = { groups: [group('a')], pods: [...elsewhere, ...gang('job', 1)] };
    expect(raises(parts)).toEqual([['a', 0, 3]]);
  });

  it('is none where the policy names no label', () => {
    const parts = {
      groups: [group('a', { max: 2 })],
      pods: gang('job', 3),
      policy: { gangs: { labels: [], minimum: [] } },
    };
    expect(raises(parts)).toEqual([['a', 0, 2]]);
  });
});

describe('thousands of gangs', () => {
  const count = 1500;
  const size = 8;
  /** Of odd sizes, so that none is like another. */
  const many = Array.from({ length: count }, (_, index) =>
    gang(`job-${String(index).padStart(4, '0')}`, size, {
      requests: cpuAndMemory(1500 + (index % 97)),
      createdAtMs: 1_800_000_000_000 + (index % 7),
    }),
  );
  const parts = { groups: [group('a', { max: 120 }), group('b', { max: 60 })], pods: many.flat() };

  it('are whole or refused, however few trials there are, and each of their pods is told so', () => {
    for (const trialsPerDecision of [1, 30_000, 3_000_000, 200_000_000]) {
      const { scaleUps, stuck } = decide({ ...parts, policy: { trialsPerDecision } });
      const helped = new Map<string, number>();
      for (const name of scaleUps.flatMap(({ pods: some }) => some)) {
        const job = name.slice(0, name.lastIndexOf('-'));
        helped.set(job, (helped.get(job) ?? 0) + 1);
      }
      expect(new Set([...helped.values(), size])).toEqual(new Set([size]));
      expect(helped.size > 0).toBe(trialsPerDecision > 1);
      expect(stuck).toHaveLength(count * size - helped.size * size);
      expect(new Set(stuck.map(({ reasons }) => reasons[0]?.code))).toEqual(
        new Set(['gangIncomplete']),
      );
    }
  });

  it('are planned a bounded number of times, and what one plan costs is left for the next', () => {
    const input = scaleUpInput(parts);
    const groups = groupStatesOf(input);
    const trials = { left: 100_000_000 };
    const costs: number[] = [];
    planGangs(
      {
        pods: parts.pods,
        addNothingFor: new Set(),
        snapshot: input.snapshot,
        groups,
        occupancy: occupancyOf(input.snapshot.nodes, input.snapshot.pods),
        mayAdd: true,
        choosing: choosingOf(input, groups),
        replays: false,
        packingTrials: 0,
        trials,
      },
      gangsOf({ policy: defaultGangPolicy, pods: parts.pods, waiting: parts.pods }),
      (question) => {
        const before = question.trials.left;
        const plan = planScaleUp(question);
        costs.push(before - question.trials.left);
        return plan;
      },
    );
    expect(costs.length).toBeLessThanOrEqual(13);
    expect(trials.left).toBeGreaterThan(0);
    expect(100_000_000 - trials.left).toBe(costs.reduce((sum, cost) => sum + cost, 0));
  });
});
