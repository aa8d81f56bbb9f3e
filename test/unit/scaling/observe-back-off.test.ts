import { describe, expect, it } from 'vitest';
import type { AutoScalingGroup, ScalingActivity } from '#scaling/aws-views.ts';
import type { LedgerEntry } from '#scaling/ledger.ts';
import { observeLedger } from '#scaling/observe-ledger.ts';
import {
  backOff,
  failedLaunch,
  group,
  type InputParts,
  instance,
  ledgerEntry,
  minute,
  nodeOf,
  now,
  pod,
  scaleUpInput,
} from '../../helpers/scaling-builders.ts';

const entryOf = (parts: InputParts, minutesLater = 0): LedgerEntry | undefined => {
  const input = scaleUpInput(parts);
  return observeLedger({ ...input, nowMs: now + minutesLater * minute }).entries[0];
};

/** Group `a`, which misses nodes, after what AWS tells of its launches. */
const missing = (
  launches: readonly ScalingActivity[],
  {
    entry = {},
    of = {},
    later = 0,
  }: {
    readonly entry?: Partial<LedgerEntry>;
    readonly of?: Partial<AutoScalingGroup>;
    readonly later?: number;
  } = {},
) =>
  entryOf(
    { groups: [group('a', { desired: 2, ...of })], launches, ledger: [ledgerEntry('a', entry)] },
    later,
  )?.backOff;

const inMinutes = ({ atMs, untilMs }: { readonly atMs: number; readonly untilMs: number }) => [
  (atMs - now) / minute,
  (untilMs - now) / minute,
];

describe('a launch that AWS failed', () => {
  it('leaves the group alone for five minutes from then, with the reason', () => {
    const found = missing([failedLaunch('a', 1)]);
    expect(found).toMatchObject({ failures: 1, code: 'InsufficientInstanceCapacity' });
    expect(found?.message).toContain('do not have sufficient m5.large capacity');
    expect(inMinutes(found ?? backOff())).toEqual([-1, 4]);
  });

  it('counts from when it failed, not from when it began', () => {
    const late = failedLaunch('a', 12, { endMs: now - minute });
    expect(inMinutes(missing([late]) ?? backOff())).toEqual([-1, 4]);
  });

  it('is no failure of the group where AWS was busy or broken, nor where it came or is under way', () => {
    expect(
      missing([
        failedLaunch('a', 1, { message: 'Request limit exceeded.' }),
        failedLaunch('a', 2, { message: 'An internal error has occurred.' }),
        failedLaunch('a', 3, { status: 'succeeded' }),
        failedLaunch('a', 4, { status: 'underWay' }),
        failedLaunch('b', 1),
      ]),
    ).toBeUndefined();
  });

  it('changes nothing within a back-off, and doubles the next one after its end, up to half an hour', () => {
    const first = backOff({ atMs: now - 6 * minute, untilMs: now - minute });
    expect(missing([failedLaunch('a', 2)], { entry: { backOff: first } })).toEqual(first);
    const second = missing([failedLaunch('a', 0.5)], { entry: { backOff: first } });
    expect(second).toMatchObject({ failures: 2, sinceMs: first.atMs });
    expect(inMinutes(second ?? first)).toEqual([-0.5, 9.5]);
    const lengths = [1, 2, 3, 4, 9].map((failures) => {
      const next = missing([failedLaunch('a', 0)], {
        entry: { backOff: { ...first, failures } },
      });
      return ((next?.untilMs ?? 0) - (next?.atMs ?? 0)) / minute;
    });
    expect(lengths).toEqual([10, 20, 30, 30, 30]);
  });

  it('follows the policy', () => {
    const seconds = { initialSeconds: 2, maxSeconds: 3, resetSeconds: 10 };
    const look = (entry: Partial<LedgerEntry>) =>
      entryOf({
        groups: [group('a', { desired: 2 })],
        launches: [failedLaunch('a', 0)],
        ledger: [ledgerEntry('a', entry)],
        policy: { backOff: seconds },
      })?.backOff;
    expect(look({})?.untilMs).toBe(now + 2000);
    const before = backOff({ atMs: now - 5000, untilMs: now - 3000 });
    expect(look({ backOff: before })).toMatchObject({ failures: 2, untilMs: now + 3000 });
    const forgotten = backOff({ atMs: now - 13_000, untilMs: now - 11_000, failures: 7 });
    expect(look({ backOff: forgotten })).toMatchObject({ failures: 1 });
  });

  it('is forgotten three hours after the end of its back-off', () => {
    const ended = (minutesAgo: number) =>
      missing([], {
        entry: {
          backOff: backOff({
            atMs: now - (minutesAgo + 5) * minute,
            untilMs: now - minutesAgo * minute,
          }),
        },
      });
    expect(ended(180)).toBeDefined();
    expect(ended(180.01)).toBeUndefined();
  });

  it('is read from what AWS tells of the time before the first look, as if it had been seen', () => {
    const history = [30, 24, 13].map((minutesAgo) => failedLaunch('a', minutesAgo));
    // 30 -> until 25; 24 -> until 14; 13 -> until -7.
    const found = missing(history);
    expect(found).toMatchObject({ failures: 3, sinceMs: now - 30 * minute });
    expect(inMinutes(found ?? backOff())).toEqual([-13, 7]);
    expect(missing([failedLaunch('a', 60 * 24)])).toBeUndefined();
  });

  it('ends the count of launches for pods, since a node that never came proves nothing of them', () => {
    const look = (launches: readonly ScalingActivity[]) =>
      entryOf({
        groups: [group('a', { desired: 2 })],
        pods: [pod('web')],
        launches,
        ledger: [ledgerEntry('a', { launchesFor: { 'uid-web': 2 } })],
      })?.launchesFor;
    expect(look([])).toEqual({ 'uid-web': 2 });
    expect(look([failedLaunch('a', 1)])).toBeUndefined();
  });

  it('is taken for one of now where its time lies ahead, and so is a back-off after the clock was set back', () => {
    expect(inMinutes(missing([failedLaunch('a', -3)]) ?? backOff())).toEqual([0, 5]);
    const ahead = backOff({ atMs: now + 600 * minute, untilMs: now + 605 * minute });
    const found = missing([], { entry: { backOff: ahead } });
    expect(inMinutes(found ?? ahead)).toEqual([0, 5]);
  });
});

describe('a back-off', () => {
  it('is written when it begins, and when it is forgotten, though nothing else has changed', () => {
    const changedOf = (parts: InputParts) =>
      observeLedger(scaleUpInput({ groups: [group('a', { desired: 2 })], ...parts })).changed;
    const missingSinceMs = now - minute;
    const ledger = [ledgerEntry('a', { missingSinceMs })];
    expect(changedOf({ ledger })).toEqual([]);
    expect(changedOf({ ledger, launches: [failedLaunch('a', 1)] })).toHaveLength(1);
    const open = [ledgerEntry('a', { missingSinceMs, backOff: backOff() })];
    expect(changedOf({ ledger: open, launches: [failedLaunch('a', 0.5)] })).toEqual([]);
    const old = backOff({ atMs: now - 190 * minute, untilMs: now - 185 * minute });
    const settled = { groups: [group('a')], ledger: [ledgerEntry('a', { backOff: old })] };
    expect(changedOf(settled)).toEqual([ledgerEntry('a')]);
  });
});

describe('what AWS owes', () => {
  const owed = (entry: Partial<LedgerEntry>, of: Partial<AutoScalingGroup> = {}) =>
    entryOf({
      groups: [group('a', { desired: 3, instances: [instance('i-1')], ...of })],
      ledger: [
        ledgerEntry('a', {
          instances: { 'i-1': { firstSeenMs: now - 60 * minute, usableAtMs: now - 58 * minute } },
          ...entry,
        }),
      ],
    });
  const since = (minutes: number) => ({ missingSinceMs: now - minutes * minute });

  it('is a failure of its own once nothing was launched for the start limit', () => {
    expect(owed(since(15))?.backOff).toBeUndefined();
    const found = owed(since(15.01))?.backOff;
    expect(found).toMatchObject({ failures: 1, code: 'launchesMissing', atMs: now });
    expect(found?.message).toBe(
      'AWS owes it 2 nodes and has launched none since 2027-01-15T07:44:59Z; see why with aws autoscaling describe-scaling-activities --auto-scaling-group-name a',
    );
  });

  it('counts as coming again from the end of a back-off, so that its time starts anew', () => {
    const ended = (minutesAgo: number) =>
      owed({
        ...since(120),
        backOff: backOff({
          atMs: now - (minutesAgo + 5) * minute,
          untilMs: now - minutesAgo * minute,
        }),
      });
    expect(ended(15)).toMatchObject(since(15));
    expect(ended(15)?.backOff?.failures).toBe(1);
    expect(ended(16)?.backOff).toMatchObject({ failures: 2, code: 'launchesMissing' });
    expect(ended(16)?.backOff?.untilMs).toBe(now + 10 * minute);
  });

  it('is no failure within a back-off, while Launch is suspended, or while the ledger alone expects it', () => {
    expect(owed({ ...since(60), backOff: backOff() })?.backOff).toEqual(backOff());
    expect(owed(since(60), { suspendedProcesses: ['Launch'] })?.backOff).toBeUndefined();
    const expecting = owed({ to: 3, toAtMs: now - minute / 2 }, { desired: 1 });
    expect(expecting).toMatchObject({ missingSinceMs: now });
    expect(expecting?.backOff).toBeUndefined();
  });

  it('is the same failure where it is owed to the minimum', () => {
    const found = owed(since(16), { min: 3 });
    expect(found?.backOff).toMatchObject({ failures: 1, code: 'launchesMissing' });
  });
});

describe('a node that comes up', () => {
  const noted = backOff({
    atMs: now - 4 * minute,
    untilMs: now + minute,
    notedMs: now - 3 * minute,
  });
  const look = (firstSeenMinutesAgo: number, over: InputParts = {}) => {
    const one = instance('i-1');
    return entryOf({
      groups: [group('a', { desired: 2, instances: [one] })],
      nodes: [nodeOf(one)],
      ledger: [
        ledgerEntry('a', {
          backOff: noted,
          instances: { 'i-1': { firstSeenMs: now - firstSeenMinutesAgo * minute } },
        }),
      ],
      ...over,
    });
  };

  it('ends the back-off early if it was launched since', () => {
    expect(look(2)?.backOff).toBeUndefined();
    expect(look(2)?.provenMs).toBe(now - 2 * minute);
  });

  it('does not if it was there when the failure was noted: half of a raise may come', () => {
    expect(look(3)?.backOff).toEqual(noted);
    expect(look(3.5)?.backOff).toEqual(noted);
  });

  it('settles the failures before it for good, though it goes and AWS still tells of them', () => {
    const launches = [failedLaunch('a', 4)];
    const proven = look(2, { launches });
    expect(proven?.backOff).toBeUndefined();
    const gone = {
      groups: [group('a', { desired: 2 })],
      ledger: proven === undefined ? [] : [proven],
    };
    expect(entryOf({ ...gone, launches })?.backOff).toBeUndefined();
    const again = entryOf({ ...gone, launches: [...launches, failedLaunch('a', 0)] });
    expect(again?.backOff).toMatchObject({ failures: 1 });
  });
});
