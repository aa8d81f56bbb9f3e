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
    const once = countLaunches(ledgerEntry('a'), ['uid-b', 'uid-a', 'uid-a'], now);
    expect(once.launchesFor).toEqual({ 'uid-a': 1, 'uid-b': 1 });
    expect(once.openLaunches).toEqual({ 'uid-a': now, 'uid-b': now });
    const settled = ledgerEntry('a', { launchesFor: { 'uid-a': 1, 'uid-b': 1 } });
    const twice = countLaunches(settled, ['uid-a'], now);
    expect(twice.launchesFor).toEqual({ 'uid-a': 2, 'uid-b': 1 });
    expect(twice.openLaunches).toEqual({ 'uid-a': now });
    expect(countLaunches(once, [], now)).toBe(once);
  });

  it('adds none for a pod whose last launch is open, and leaves the time of that one', () => {
    const once = countLaunches(ledgerEntry('a'), ['uid-a'], now - minute);
    const again = countLaunches(once, ['uid-a', 'uid-b'], now);
    expect(again.launchesFor).toEqual({ 'uid-a': 1, 'uid-b': 1 });
    expect(again.openLaunches).toEqual({ 'uid-a': now - minute, 'uid-b': now });
  });

  it('remembers a bounded number of pods: those with the most launches', () => {
    const uids = Array.from({ length: rememberedPods + 10 }, (_, index) => `uid-${1e6 + index}`);
    const last = uids.slice(-3);
    const before = ledgerEntry('a', {
      launchesFor: Object.fromEntries(last.map((uid) => [uid, 1])),
    });
    const entry = countLaunches(before, uids, now);
    const kept = Object.keys(entry.launchesFor ?? {});
    expect(kept).toHaveLength(rememberedPods);
    expect(last.map((uid) => entry.launchesFor?.[uid])).toEqual([2, 2, 2]);
    expect(kept).toEqual([...uids.slice(0, rememberedPods - 3), ...last]);
    const other = countLaunches(before, [...uids].reverse(), now);
    expect(Object.keys(entry.openLaunches ?? {})).toEqual(kept);
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

describe('an open launch', () => {
  const one = instance('i-1');
  const look = (
    open: Readonly<Record<string, number>>,
    { seenMs = now - 5 * minute, usable = true, nowMs = now } = {},
  ) =>
    observeLedger({
      ...scaleUpInput({
        groups: [group('a', { desired: 1, instances: [one] })],
        nodes: usable ? [nodeOf(one)] : [],
        pods: [pod('web')],
        ledger: [
          ledgerEntry('a', {
            instances: { 'i-1': { firstSeenMs: seenMs } },
            launchesFor: { 'uid-web': 1 },
            openLaunches: open,
          }),
        ],
      }),
      nowMs,
    });

  it('ends once an instance that was launched after it has come up, and its count stays', () => {
    const [entry] = look({ 'uid-web': now - 6 * minute }).entries;
    expect(entry?.launchesFor).toEqual({ 'uid-web': 1 });
    expect(entry).not.toHaveProperty('openLaunches');
  });

  it.each([
    ['came up before it', now - 4 * minute, {}],
    ['was seen at the very look that began it', now - 5 * minute, {}],
    ['has not come up', now - 6 * minute, { usable: false }],
  ])('does not end by an instance that %s', (_, atMs, over) => {
    const open = { 'uid-web': atMs };
    expect(look(open, over).entries[0]?.openLaunches).toEqual(open);
  });

  it('ends after the clock was set back as if it had been begun then', () => {
    const [back] = look({ 'uid-web': now + 60 * minute }, { usable: false }).entries;
    expect(back?.openLaunches).toEqual({ 'uid-web': now });
    const [later] = look(back?.openLaunches ?? {}, {
      seenMs: now + minute,
      nowMs: now + 3 * minute,
    }).entries;
    expect(later).not.toHaveProperty('openLaunches');
  });

  it('is forgotten with its pod, and once a launch of the group fails', () => {
    const ofOther = look({ 'uid-gone': now - minute });
    expect(ofOther.entries[0]).not.toHaveProperty('openLaunches');
    const failed = look(
      { 'uid-web': now - 6 * minute },
      { seenMs: now - 16 * minute, usable: false },
    );
    expect(failed.entries[0]?.backOff).toBeDefined();
    expect(failed.entries[0]).not.toHaveProperty('openLaunches');
    expect(failed.entries[0]).not.toHaveProperty('launchesFor');
  });

  it('is written when it ends, though nothing else has changed', () => {
    const settled = scaleUpInput({
      groups: [group('a', { desired: 1, instances: [one] })],
      nodes: [nodeOf(one)],
      pods: [pod('web')],
    });
    const entry = ledgerEntry('a', {
      instances: { 'i-1': { firstSeenMs: now - minute, usableAtMs: now - minute } },
      launchesFor: { 'uid-web': 1 },
    });
    const changedOf = (openLaunches: Readonly<Record<string, number>>) =>
      observeLedger({ ...settled, ledger: [{ ...entry, openLaunches }] }).changed;
    expect(changedOf({ 'uid-web': now })).toEqual([]);
    expect(changedOf({ 'uid-web': now - 2 * minute })).toEqual([entry]);
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

  it('may cause another while the last of them may still bring its node', () => {
    const parts = { groups: [group('a'), group('b')], pods: [web] };
    const [a, b] = launched(1, 2);
    const open = b === undefined ? [] : [{ ...b, openLaunches: { 'uid-web': now - minute } }];
    expect(raises({ ...parts, ledger: [...(a === undefined ? [] : [a]), ...open] })).toEqual([
      ['a', 0, 1],
    ]);
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
