import { describe, expect, it } from 'vitest';
import type { AutoScalingGroup, GroupInstance } from '#scaling/aws-views.ts';
import type { LedgerEntry } from '#scaling/ledger.ts';
import { observeLedger } from '#scaling/observe-ledger.ts';
import {
  backOff,
  group,
  instance,
  ledgerEntry,
  minute,
  nodeOf,
  now,
  pod,
  scaleUpInput,
} from '../../helpers/scaling-builders.ts';

interface Case {
  readonly instances?: readonly GroupInstance[];
  readonly of?: Partial<AutoScalingGroup>;
  readonly entry?: Partial<LedgerEntry>;
  readonly seconds?: number;
  readonly usable?: boolean;
}

const starting = { firstSeenMs: now - 2 * minute };
const started = { 'i-1': starting };

/** Group `a`, which wants one instance and was seen to have `i-1`, starting. */
const look = ({ instances = [], of = {}, entry = {}, seconds = 0, usable = false }: Case) => {
  const input = scaleUpInput({
    groups: [group('a', { desired: 1, instances, ...of })],
    nodes: usable ? instances.map((one) => nodeOf(one)) : [],
    pods: [pod('web')],
    ledger: [ledgerEntry('a', { instances: started, ...entry })],
  });
  const observed = observeLedger({ ...input, nowMs: now + seconds * 1000 });
  const [found] = observed.entries;
  if (found === undefined) throw new Error('no entry');
  return { entry: found, changed: observed.changed };
};

const inState = (lifecycleState: string, id = 'i-1') => instance(id, { lifecycleState });

describe('an instance that ends while it starts', () => {
  it.each(['Terminating', 'Terminating:Wait', 'Terminating:Proceed', 'Terminated'])(
    'is a failure of its group once it is seen %s, and is forgotten',
    (state) => {
      const { entry } = look({ instances: [inState(state), instance('i-2')] });
      expect(entry.backOff).toMatchObject({ failures: 1, code: 'endedWhileStarting', atMs: now });
      expect(entry.backOff?.untilMs).toBe(now + 5 * minute);
      expect(entry.instances).toEqual({ 'i-2': { firstSeenMs: now } });
      expect(entry).not.toHaveProperty('gone');
    },
  );

  it('says which, how long it lived, and where to look', () => {
    expect(look({ instances: [inState('Terminating')] }).entry.backOff?.message).toBe(
      'instance i-1 was gone 120 s after it was first seen, before its Node was usable: its user data may power it off, or a health check fails; see aws autoscaling describe-scaling-activities --auto-scaling-group-name a and, for an hour, aws ec2 get-console-output --instance-id i-1',
    );
    const both = look({
      instances: [inState('Terminating'), inState('Terminating', 'i-2')],
      of: { desired: 2 },
      entry: { instances: { 'i-2': starting, ...started } },
    }).entry.backOff;
    expect(both).toMatchObject({ failures: 1 });
    expect(both?.message).toMatch(
      /^2 instances were gone before their Nodes were usable; i-1 was 120 s after/,
    );
  });

  it('is one where it is missing for more than half a minute, and none before', () => {
    const first = look({ instances: [instance('i-2')] });
    expect(first.entry.backOff).toBeUndefined();
    expect(first.entry.gone).toEqual({ 'i-1': { ...starting, goneSinceMs: now } });
    const again = (seconds: number) =>
      look({ instances: [instance('i-2')], entry: first.entry, seconds });
    expect(again(30).changed).toEqual([]);
    const later = again(31).entry;
    expect(later.backOff).toMatchObject({ failures: 1, code: 'endedWhileStarting' });
    expect(later.backOff?.message).toContain('i-1 was gone 120 s after it was first seen');
    expect(later).not.toHaveProperty('gone');
  });

  it('is none where an old description left it out: it is back, and its start limit has run on', () => {
    const { entry } = look({});
    const back = look({ instances: [instance('i-1')], entry, seconds: 60 }).entry;
    expect(back.backOff).toBeUndefined();
    expect(back.instances).toEqual(started);
    expect(back).not.toHaveProperty('gone');
    const up = look({ instances: [instance('i-1')], entry, seconds: 60, usable: true }).entry;
    expect(up.instances['i-1']).toEqual({ ...starting, usableAtMs: now + minute });
  });

  it('fails once, also where an old description shows it again', () => {
    const { entry } = look({ instances: [inState('Terminating')] });
    for (const state of ['Terminating', 'InService']) {
      const again = look({ instances: [inState(state)], entry, seconds: 10 }).entry;
      expect(again.backOff).toEqual(entry.backOff);
    }
  });

  it('counts as a second failure after the back-off of the first has ended, and not within it', () => {
    const ended = backOff({ atMs: now - 9 * minute, untilMs: now - 4 * minute });
    const second = look({ instances: [inState('Terminating')], entry: { backOff: ended } }).entry;
    expect(second.backOff).toMatchObject({ failures: 2, untilMs: now + 10 * minute });
    const within = look({
      instances: [inState('Terminating')],
      entry: { backOff: backOff() },
    }).entry;
    expect(within.backOff).toEqual(backOff());
  });

  it('ends the count of launches for pods, since a node that never came proves nothing of them', () => {
    const counts = { launchesFor: { 'uid-web': 2 }, openLaunches: { 'uid-web': now - minute } };
    const { entry } = look({ instances: [inState('Terminating')], entry: counts });
    expect(entry).not.toHaveProperty('launchesFor');
    expect(entry).not.toHaveProperty('openLaunches');
  });

  it('is timed from now after the clock was set back', () => {
    const gone = { 'i-1': { firstSeenMs: now + 58 * minute, goneSinceMs: now + 60 * minute } };
    const { entry, changed } = look({ entry: { instances: {}, gone, missingSinceMs: now } });
    expect(changed).toEqual([entry]);
    expect(entry.gone).toEqual({ 'i-1': { firstSeenMs: now, goneSinceMs: now } });
    expect(look({ entry, seconds: 31 }).entry.backOff).toMatchObject({ failures: 1 });
    const ahead = { 'i-1': { ...starting, goneSinceMs: now + minute } };
    const held = look({ entry: { instances: {}, gone: ahead, missingSinceMs: now } });
    expect(held.changed[0]?.gone).toEqual({ 'i-1': { ...starting, goneSinceMs: now } });
  });
});

describe('an instance that was missed', () => {
  it('is written when it is missed no more, though nothing else has changed', () => {
    const gone = { 'i-1': { ...starting, goneSinceMs: now - minute } };
    const entry = { instances: {}, gone, missingSinceMs: now, backOff: backOff() };
    const { changed } = look({ entry });
    expect(changed).toEqual([ledgerEntry('a', { missingSinceMs: now, backOff: backOff() })]);
  });
});

describe('an instance that leaves', () => {
  const expectNoFailure = (parts: Case) => {
    const { entry } = look(parts);
    expect(entry).not.toHaveProperty('gone');
    expect(look({ ...parts, entry, seconds: 600 }).entry.backOff).toBeUndefined();
    expect(entry.backOff).toBeUndefined();
  };

  it.each(['EnteringStandby', 'Standby', 'Detaching', 'Detached', 'Warmed:Stopped'])(
    'for %s is no failure of its group, also where a description had left it out',
    (state) => {
      expectNoFailure({ instances: [inState(state)] });
      const gone = { 'i-1': { ...starting, goneSinceMs: now - minute } };
      expectNoFailure({ instances: [inState(state)], entry: { instances: {}, gone } });
    },
  );

  it('is none where fewer are wanted than there were: somebody lowered the group', () => {
    const of = { desired: 0 };
    expectNoFailure({ of });
    expectNoFailure({ of, instances: [inState('Terminating')] });
  });

  it('is none while Launch is suspended: somebody is at work on the group', () => {
    const of = { suspendedProcesses: ['Launch'] };
    expectNoFailure({ of });
    expectNoFailure({ of, instances: [inState('Terminating')] });
  });

  it('is none once its Node was usable or it has failed already', () => {
    const was = (seen: object) => ({ instances: { 'i-1': { ...starting, ...seen } } });
    expectNoFailure({ entry: was({ usableAtMs: now - minute }) });
    expectNoFailure({
      instances: [inState('Terminating')],
      entry: was({ usableAtMs: now - minute }),
    });
    expectNoFailure({
      instances: [inState('Terminating')],
      entry: was({ failedAtMs: now - minute }),
    });
  });
});
