import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unitsPerNode } from '#scaling/capacity-units.ts';
import { observeLedger } from '#scaling/observe-ledger.ts';
import { codes, decide, raises } from '../../helpers/decide.ts';
import {
  backOff,
  boundPod,
  cpuAndMemory,
  GiB,
  group,
  instance,
  ledgerEntry,
  minute,
  nodeOf,
  now,
  override,
  pods,
  scaleUpInput,
} from '../../helpers/scaling-builders.ts';

const weighted = (type: string, weight: number) => ({ ...override(type), weight });
const fours = group('fours', { max: 40, overrides: [weighted('m5.large', 4)] });
const large = { requests: cpuAndMemory(1500) };

describe('a group with weights', () => {
  it('is raised by the units of its nodes, which are told beside them', () => {
    const [raise] = decide({ groups: [fours], pods: pods(3, 'web', large) }).scaleUps;
    expect(raise).toMatchObject({ group: 'fours', from: 0, to: 12, nodes: 3 });
  });

  it('is raised for larger types by what they hold of the smallest', () => {
    const mixed = group('mixed', {
      max: 40,
      overrides: [weighted('m5.large', 2), weighted('m5.xlarge', 4)],
    });
    expect(raises({ groups: [mixed], pods: pods(3, 'web', large) })).toEqual([['mixed', 0, 6]]);
  });

  it('is raised by the greatest weight where a larger type is heavier than what it holds', () => {
    const mixed = group('mixed', {
      max: 40,
      overrides: [weighted('m5.large', 1), weighted('m5.xlarge', 6)],
    });
    expect(raises({ groups: [mixed], pods: pods(2, 'web', large) })).toEqual([['mixed', 0, 6]]);
  });

  it('counts on as many nodes as its missing units bring, and asks for no more', () => {
    const parts = { groups: [{ ...fours, desired: 12 }], pods: pods(3, 'web', large) };
    expect(decide(parts).scaleUps).toEqual([]);
    expect(decide(parts).fits).toHaveLength(3);
    const four = { ...parts, pods: pods(4, 'web', large) };
    expect(raises(four)).toEqual([['fours', 12, 16]]);
  });

  it('counts on a whole node for a part of its units', () => {
    const parts = { groups: [{ ...fours, desired: 5 }], pods: pods(2, 'web', large) };
    expect(decide(parts).fits).toHaveLength(2);
  });

  it('takes instances for the units that AWS says they are, not for those of the overrides now', () => {
    const running = instance('i-1', { weight: 8 });
    const parts = {
      groups: [{ ...fours, desired: 8, instances: [running] }],
      nodes: [nodeOf(running)],
      pods: [...pods(1, 'web', large), boundPod('old', 'node-i-1', large)],
    };
    expect(raises(parts)).toEqual([['fours', 8, 12]]);
  });

  it('starts from the units that are there where they are more than was asked for', () => {
    const running = ['i-1', 'i-2'].map((id) => instance(id, { weight: 4 }));
    const parts = {
      groups: [{ ...fours, desired: 5, instances: running }],
      nodes: running.map((one) => nodeOf(one)),
      pods: [
        ...pods(1, 'web', large),
        boundPod('old-1', 'node-i-1', large),
        boundPod('old-2', 'node-i-2', large),
      ],
    };
    expect(raises(parts)).toEqual([['fours', 5, 12]]);
  });

  it('is at its maximum where a node has no room below it, and says in what it counts', () => {
    const parts = { groups: [{ ...fours, max: 7 }], pods: pods(2, 'web', large) };
    expect(raises(parts)).toEqual([['fours', 0, 4]]);
    expect(codes(parts, 'web-2')).toEqual([['fours', 'groupAtMaximum']]);
    expect(decide(parts).stuck[0]?.reasons[0]?.message).toBe(
      'it is at its maximum of 7 units of capacity, of which a new node takes 4: raise MaxSize',
    );
  });

  it('is owed nothing once its units are there', () => {
    const running = instance('i-1', { weight: 4 });
    const ledger = [ledgerEntry('fours', { missingSinceMs: now - minute })];
    const owing = (desired: number) =>
      observeLedger(scaleUpInput({ groups: [{ ...fours, desired, instances: [running] }], ledger }))
        .entries[0]?.missingSinceMs;
    expect(owing(4)).toBeUndefined();
    expect(owing(5)).toBe(now);
  });

  it('is taken back to the units of its instances', () => {
    const running = instance('i-1', { weight: 4, protectedFromScaleIn: true });
    const parts = {
      groups: [{ ...fours, desired: 12, instances: [running], newInstancesProtected: true }],
      nodes: [nodeOf(running)],
      ledger: [ledgerEntry('fours', { backOff: backOff() })],
    };
    expect(decide(parts).takeBacks).toEqual([
      expect.objectContaining({ group: 'fours', from: 12, to: 4 }),
    ]);
  });
});

describe('units for one more node', () => {
  const machine = fc.record({
    weight: fc.integer({ min: 1, max: 999 }),
    allocatable: fc.record({
      cpu: fc.integer({ min: 0, max: 200_000 }),
      memory: fc.integer({ min: 0, max: 500 }).map((gib) => gib * GiB),
    }),
  });

  it('bring as many nodes of the size planned as asked for, whichever type AWS takes', () => {
    const enough = fc.property(
      fc.array(machine, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 50 }),
      (machines, nodes) => {
        const least = (name: 'cpu' | 'memory') =>
          Math.min(...machines.map(({ allocatable }) => allocatable[name]));
        const units = unitsPerNode(machines) * nodes;
        for (const { weight, allocatable } of machines) {
          const launched = Math.ceil(units / weight);
          const held = (name: 'cpu' | 'memory') =>
            least(name) === 0 ? Infinity : Math.floor(allocatable[name] / least(name));
          expect(launched * Math.min(held('cpu'), held('memory'))).toBeGreaterThanOrEqual(nodes);
        }
      },
    );
    // biome-ignore lint/nursery/noFloatingPromises: this property waits for nothing
    fc.assert(enough, { numRuns: 200 });
  });
});
