import { describe, expect, it } from 'vitest';
import type { NodeView } from '#cluster/snapshot.ts';
import type { GroupInstance } from '#scaling/aws-views.ts';
import type { InstanceObservation, LedgerEntry } from '#scaling/ledger.ts';
import { observeLedger } from '#scaling/observe-ledger.ts';
import {
  backOff,
  group,
  instance,
  ledgerEntry,
  minute,
  nodeOf,
  now,
  scaleUpInput,
} from '../../helpers/scaling-builders.ts';

interface Case {
  readonly instances: readonly GroupInstance[];
  readonly nodes?: readonly NodeView[];
  readonly seen: Readonly<Record<string, InstanceObservation>>;
  readonly entry?: Partial<LedgerEntry>;
  readonly gpu?: boolean;
}

const look = ({ instances, nodes = [], seen, entry = {}, gpu = false }: Case) =>
  observeLedger(
    scaleUpInput({
      groups: [
        group('a', {
          desired: instances.length,
          instances,
          launchTemplate: { id: gpu ? 'lt-g4' : 'lt-m5', version: '1' },
        }),
      ],
      nodes,
      ledger: [ledgerEntry('a', { instances: seen, ...entry })],
    }),
  ).entries[0];

const seenFor = (minutes: number): InstanceObservation => ({ firstSeenMs: now - minutes * minute });

describe('an instance whose start limit passes', () => {
  const [one, two] = [instance('i-1'), instance('i-2')];
  const taint = {
    key: 'startup-taint.cluster-autoscaler.kubernetes.io/cni',
    value: '',
    effect: 'NoSchedule' as const,
  };

  it.each([
    ['neverRegistered', 'no Node of the cluster claims to be it', []],
    ['neverReady', 'its Node node-i-1 is not Ready (False)', [nodeOf(one, { ready: 'False' })]],
    [
      'startupTaintStays',
      `its Node node-i-1 still has the startup taint ${taint.key}`,
      [nodeOf(one, { taints: [taint] })],
    ],
  ])('is a failure of its group: %s', (code, why, nodes) => {
    const entry = look({ instances: [one], nodes, seen: { 'i-1': seenFor(15.01) } });
    expect(entry?.backOff).toMatchObject({ failures: 1, code, atMs: now });
    expect(entry?.backOff?.untilMs).toBe(now + 5 * minute);
    expect(entry?.backOff?.message).toBe(
      `instance i-1 has passed its start limit of 900 s: ${why}`,
    );
    expect(entry?.instances['i-1']).toEqual({ ...seenFor(15.01), failedAtMs: now });
    const young = look({ instances: [one], nodes, seen: { 'i-1': seenFor(15) } });
    expect(young?.backOff).toBeUndefined();
    expect(young?.instances['i-1']).toEqual(seenFor(15));
  });

  it('is one where the device that its group promises never appears', () => {
    const gpu = instance('i-1', { type: 'g4dn.xlarge' });
    const entry = look({
      instances: [gpu],
      nodes: [nodeOf(gpu)],
      seen: { 'i-1': seenFor(16) },
      gpu: true,
    });
    expect(entry?.backOff).toMatchObject({ code: 'resourcesMissing' });
    expect(entry?.backOff?.message).toContain('shows no nvidia.com/gpu');
  });

  it('counts once, however long it stays, and with others of the same look as one', () => {
    const both = look({
      instances: [one, two],
      seen: { 'i-1': seenFor(16), 'i-2': seenFor(16) },
    });
    expect(both?.backOff?.failures).toBe(1);
    expect(both?.backOff?.message).toMatch(/^2 instances have passed their start limit/);
    const ended = backOff({ atMs: now - 30 * minute, untilMs: now - 25 * minute });
    const later = look({
      instances: [one],
      seen: { 'i-1': { ...seenFor(45), failedAtMs: now - 30 * minute } },
      entry: { backOff: ended },
    });
    expect(later?.backOff).toEqual(ended);
  });

  it('counts as a second failure after the back-off of the first has ended', () => {
    const entry = look({
      instances: [one],
      seen: { 'i-1': seenFor(16) },
      entry: { backOff: backOff({ atMs: now - 9 * minute, untilMs: now - 4 * minute }) },
    });
    expect(entry?.backOff).toMatchObject({ failures: 2, untilMs: now + 10 * minute });
  });

  it('is no failure once its Node was usable, whatever it is now', () => {
    const entry = look({
      instances: [one],
      nodes: [nodeOf(one, { ready: 'Unknown' })],
      seen: { 'i-1': { ...seenFor(90), usableAtMs: now - 80 * minute } },
    });
    expect(entry?.backOff).toBeUndefined();
    expect(entry?.instances['i-1']).not.toHaveProperty('failedAtMs');
  });

  it('is no failure at the first look at a group, when nobody knows what it was before', () => {
    const input = scaleUpInput({
      groups: [group('a', { desired: 1, instances: [one] })],
      nodes: [nodeOf(one, { ready: 'False', createdAtMs: now - 60 * minute })],
    });
    const [first] = observeLedger(input).entries;
    expect(first?.backOff).toBeUndefined();
    expect(first?.instances['i-1']).toEqual({ ...seenFor(60), failedAtMs: now - 45 * minute });
    const [second] = observeLedger({
      ...input,
      ledger: first === undefined ? [] : [first],
    }).entries;
    expect(second).toEqual(first);
  });

  it('keeps when it failed if it comes up late after all', () => {
    const entry = look({
      instances: [one],
      nodes: [nodeOf(one)],
      seen: { 'i-1': { ...seenFor(25), failedAtMs: now - 10 * minute } },
    });
    expect(entry?.instances['i-1']).toEqual({
      ...seenFor(25),
      failedAtMs: now - 10 * minute,
      usableAtMs: now,
    });
  });
});

describe('an instance that AWS launches while its group is backed off', () => {
  it('is marked as one that nobody counted on', () => {
    const one = instance('i-1');
    const entry = look({ instances: [one], seen: {}, entry: { backOff: backOff() } });
    expect(entry?.instances['i-1']).toEqual({ firstSeenMs: now, givenUpAtMs: now - minute });
    const ended = backOff({ untilMs: now });
    const after = look({ instances: [one], seen: {}, entry: { backOff: ended } });
    expect(after?.instances['i-1']).toEqual({ firstSeenMs: now });
  });
});
