import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LedgerEntry, RememberedAmounts } from '#scaling/ledger.ts';
import { observeLedger } from '#scaling/observe-ledger.ts';
import { remember } from '#scaling/remembered-amounts.ts';
import { raises } from '../../helpers/decide.ts';
import {
  cpuAndMemory,
  GiB,
  group,
  type InputParts,
  instance,
  launchTemplate,
  MiB,
  m5large,
  nodeOf,
  pod,
  scaleUpInput,
} from '../../helpers/scaling-builders.ts';

const prefix = 'k8s.io/cluster-autoscaler/node-template/';
const version = (number: number, imageId: string, userDataHash?: string) =>
  launchTemplate('lt-m5', {
    version: number,
    imageId,
    ...(userDataHash === undefined ? {} : { userDataHash }),
  });
const launchTemplates = [version(1, 'ami-old'), version(2, 'ami-1')];

const running = instance('i-1', { launchTemplate: { id: 'lt-m5', version: '2' } });
const seen: InputParts = {
  launchTemplates,
  groups: [group('workers-a', { desired: 1, instances: [running] })],
  nodes: [
    nodeOf(running, {
      allocatable: { cpu: 1200, memory: 5 * GiB, pods: 20, 'example.com/fpga': 2 },
      labels: { 'node.kubernetes.io/instance-type': 'm5.large', passing: 'yes' },
      taints: [{ key: 'passing', value: '', effect: 'NoSchedule' }],
    }),
  ],
};
const ledgerAfter = (parts: InputParts): readonly LedgerEntry[] =>
  observeLedger(scaleUpInput(parts)).entries;
const known = ledgerAfter(seen);
const atZero = (more: Partial<InputParts> = {}): InputParts => ({
  launchTemplates,
  groups: [group('workers-a')],
  ledger: known,
  ...more,
});
const fits = (cpu: number, parts: InputParts): boolean =>
  raises({ ...parts, pods: [pod('web', { requests: cpuAndMemory(cpu, 100 * MiB) })] }).length === 1;

describe('what a usable node has', () => {
  it('is remembered by type, with the image that it came up from', () => {
    expect(known[0]?.learned).toEqual({
      'm5.large': {
        image: 'ami-1',
        capacity: { cpu: 2000, 'ephemeral-storage': 20 * GiB, memory: 8 * GiB, pods: 29 },
        allocatable: { cpu: 1200, memory: 5 * GiB, pods: 20 },
        from: 'node-i-1',
      },
    });
  });

  it('decides what a new node offers once the group is empty', () => {
    expect(fits(1200, atZero())).toBe(true);
    expect(fits(1201, atZero())).toBe(false);
    expect(fits(1201, atZero({ ledger: [] }))).toBe(true);
  });

  it('is never a label or a taint, nor a device of a plugin that may be gone', () => {
    const labelled = { nodeSelector: { passing: 'yes' }, requests: cpuAndMemory(100) };
    expect(raises({ ...atZero(), pods: [pod('web', labelled)] })).toEqual([]);
    expect(fits(100, atZero())).toBe(true);
    const asking = { requests: { ...cpuAndMemory(100), 'example.com/fpga': 1 } };
    expect(raises({ ...atZero(), pods: [pod('web', asking)] })).toEqual([]);
  });

  it('counts for no other image or user data', () => {
    const since = (over: object) =>
      atZero({ launchTemplates: [{ ...version(2, 'ami-1'), ...over }] });
    expect(fits(1500, since({}))).toBe(false);
    expect(fits(1500, since({ imageId: 'ami-2' }))).toBe(true);
    expect(fits(1500, since({ userDataHash: 'abc' }))).toBe(true);
  });

  it('counts for another group that comes up from the same', () => {
    const others = { groups: [group('workers-a', { max: 0 }), group('workers-b')] };
    expect(fits(1201, atZero(others))).toBe(false);
    expect(fits(1200, atZero(others))).toBe(true);
  });

  it('stands below what a node shows now, and below a tag', () => {
    const fresh = instance('i-2', { launchTemplate: { id: 'lt-m5', version: '2' } });
    const lively = atZero({
      groups: [group('workers-a', { desired: 1, instances: [fresh] })],
      nodes: [nodeOf(fresh, { unschedulable: true })],
    });
    expect(fits(1900, lively)).toBe(true);
    const tags = { [`${prefix}resources/cpu`]: '1900m' };
    expect(fits(1900, atZero({ groups: [group('workers-a', { tags })] }))).toBe(true);
  });

  it('is learned of no node whose image is not known, and forgotten for none', () => {
    const old = instance('i-1', { launchTemplate: { id: 'lt-m5', version: '7' } });
    const parts = { ...seen, groups: [group('workers-a', { desired: 1, instances: [old] })] };
    expect(ledgerAfter(parts)[0]?.learned).toBeUndefined();
    expect(ledgerAfter({ ...parts, ledger: known })[0]?.learned).toBe(known[0]?.learned);
  });

  it('outlives a look in which the group cannot be read to the end', () => {
    const blind = atZero({ launchTemplates: [], instanceTypes: [m5large] });
    expect(ledgerAfter(blind)[0]?.learned).toBe(known[0]?.learned);
  });

  it('is written once: the same node at the next look changes nothing', () => {
    expect(observeLedger(scaleUpInput({ ...seen, ledger: known })).changed).toEqual([]);
  });
});

describe('the memory of a machine', () => {
  const amounts = fc.record({
    cpu: fc.nat(64_000),
    memory: fc.nat(64).map((gib) => gib * GiB),
    pods: fc.nat(250),
  });
  const remembered = (allocatable: RememberedAmounts['allocatable']): RememberedAmounts => ({
    image: 'ami-1',
    capacity: allocatable,
    allocatable,
    from: 'node',
  });

  it('is never above what was seen last, and follows what is clearly more', () => {
    const followed = fc.property(fc.array(amounts, { minLength: 1, maxLength: 8 }), (all) => {
      let memory: LedgerEntry['learned'];
      for (const one of all) {
        memory = remember(memory, new Map([['m5.large', remembered(one)]]));
        const now = memory?.['m5.large']?.allocatable ?? {};
        for (const name of ['cpu', 'memory', 'pods'] as const) {
          expect(now[name]).toBeLessThanOrEqual(one[name]);
          expect((now[name] ?? 0) * 1.01).toBeGreaterThanOrEqual(one[name] - 1e-6 * one[name]);
        }
      }
    });
    // biome-ignore lint/nursery/noFloatingPromises: this property waits for nothing
    fc.assert(followed, { numRuns: 200 });
  });

  it('stays the same object where there is no news', () => {
    const first = remember(undefined, new Map([['m5.large', remembered({ cpu: 1000 })]]));
    expect(remember(first, new Map([['m5.large', remembered({ cpu: 1010 })]]))).toBe(first);
    expect(remember(first, new Map([['m5.large', remembered({ cpu: 1011 })]]))).not.toBe(first);
    expect(remember(first, new Map())).toBe(first);
  });
});
