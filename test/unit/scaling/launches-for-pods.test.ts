import { describe, expect, it } from 'vitest';
import { countLaunches, rememberedPods } from '#scaling/launches-for-pods.ts';
import { observeLedger } from '#scaling/observe-ledger.ts';
import { codes, decide, raises } from '../../helpers/decide.ts';
import {
  boundPod,
  cpuAndMemory,
  group,
  instance,
  ledgerEntry,
  minute,
  nodeOf,
  now,
  pod,
  scaleUpInput,
} from '../../helpers/scaling-builders.ts';

describe('counting launches for pods', () => {
  it('adds one for each pod of a raise', () => {
    const once = countLaunches(ledgerEntry('a'), ['uid-b', 'uid-a', 'uid-a']);
    expect(once.launchesFor).toEqual({ 'uid-a': 1, 'uid-b': 1 });
    expect(countLaunches(once, ['uid-a']).launchesFor).toEqual({ 'uid-a': 2, 'uid-b': 1 });
    expect(countLaunches(once, [])).toBe(once);
  });

  it('remembers a bounded number of pods: those with the most launches', () => {
    const uids = Array.from({ length: rememberedPods + 10 }, (_, index) => `uid-${1e6 + index}`);
    const last = uids.slice(-3);
    const entry = countLaunches(countLaunches(ledgerEntry('a'), last), uids);
    const kept = Object.keys(entry.launchesFor ?? {});
    expect(kept).toHaveLength(rememberedPods);
    expect(last.map((uid) => entry.launchesFor?.[uid])).toEqual([2, 2, 2]);
    expect(kept).toEqual([...uids.slice(0, rememberedPods - 3), ...last]);
    const other = countLaunches(countLaunches(ledgerEntry('a'), last), [...uids].reverse());
    expect(JSON.stringify(other)).toBe(JSON.stringify(entry));
  });

  it('forgets pods that are gone, bound, ended or leaving', () => {
    const counts = {
      'uid-web': 2,
      'uid-gone': 1,
      'uid-bound': 1,
      'uid-ended': 1,
      'uid-leaving': 1,
    };
    const observed = observeLedger(
      scaleUpInput({
        groups: [group('a')],
        pods: [
          pod('web'),
          boundPod('bound', 'node-1'),
          pod('ended', { phase: 'Failed' }),
          pod('leaving', { deletedAtMs: now }),
        ],
        ledger: [ledgerEntry('a', { launchesFor: counts })],
      }),
    );
    expect(observed.entries[0]?.launchesFor).toEqual({ 'uid-web': 2 });
    expect(observed.changed).toHaveLength(1);
    const none = observeLedger(
      scaleUpInput({
        groups: [group('a')],
        ledger: [ledgerEntry('a', { launchesFor: { 'uid-gone': 3 } })],
      }),
    );
    expect(none.entries[0]).not.toHaveProperty('launchesFor');
  });
});

describe('a pod for which launches brought no binding', () => {
  const web = pod('web');
  const launched = (a: number, b: number) => [
    ledgerEntry('a', { launchesFor: { 'uid-web': a } }),
    ledgerEntry('b', { launchesFor: { 'uid-web': b } }),
  ];

  it('causes no more once those of all groups together are as many as the policy says', () => {
    const parts = { groups: [group('a'), group('b')], pods: [web] };
    expect(raises({ ...parts, ledger: launched(1, 1) })).toEqual([['a', 0, 1]]);
    expect(raises({ ...parts, ledger: launched(1, 2) })).toEqual([]);
    expect(codes({ ...parts, ledger: launched(1, 2) }, 'web')).toEqual([
      [undefined, 'launchesWithoutBinding'],
    ]);
    const five = { ...parts, policy: { launchesPerPod: 5 } };
    expect(raises({ ...five, ledger: launched(2, 2) })).toEqual([['a', 0, 1]]);
  });

  it('may still take what there is, or what is coming', () => {
    const up = instance('i-1');
    const existing = {
      groups: [group('a', { desired: 1, instances: [up] })],
      nodes: [nodeOf(up)],
      pods: [web],
      ledger: launched(3, 0),
    };
    expect(decide(existing).fits).toMatchObject([{ pod: 'default/web', node: 'node-i-1' }]);
    const coming = { groups: [group('a', { desired: 1 })], pods: [web], ledger: launched(3, 0) };
    expect(decide(coming).fits).toMatchObject([{ node: 'group/a/coming-1' }]);
    expect(decide(coming).alerts).toEqual([]);
  });

  it('takes no place on a new node, though there is room beside the pod that it is added for', () => {
    const small = { requests: cpuAndMemory(500) };
    const parts = { groups: [group('a')], pods: [pod('new', small), pod('web', small)] };
    const decision = decide({ ...parts, ledger: launched(3, 0) });
    expect(decision.scaleUps.map(({ to, pods }) => [to, pods])).toEqual([[1, ['default/new']]]);
    expect(decision.stuck.map(({ pod: name }) => name)).toEqual(['default/web']);
  });

  it('takes no coming node from the pod that it was added for', () => {
    const parts = {
      groups: [group('a', { desired: 1 })],
      pods: [pod('new', { createdAtMs: now }), pod('web', { createdAtMs: now - 60 * minute })],
      ledger: launched(3, 0),
    };
    const decision = decide(parts);
    expect(decision.scaleUps).toEqual([]);
    expect(decision.fits.map(({ pod: name }) => name)).toEqual(['default/new']);
  });
});
