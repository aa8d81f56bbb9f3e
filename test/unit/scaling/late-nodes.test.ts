import { describe, expect, it } from 'vitest';
import type { InstanceObservation } from '#scaling/ledger.ts';
import { decide } from '../../helpers/decide.ts';
import { group, ledgerEntry, minute, now } from '../../helpers/scaling-builders.ts';

const problems = (seen: InstanceObservation) =>
  decide({
    groups: [group('a')],
    ledger: [ledgerEntry('a', { instances: { 'i-1': seen } })],
  }).problems;

const ago = (minutes: number) => now - minutes * minute;

describe('a node that comes up late after all', () => {
  it('is told of for an hour, since what was planned instead may be surplus', () => {
    const seen = (usable: number) => ({
      firstSeenMs: ago(usable + 22),
      failedAtMs: ago(usable + 7),
      usableAtMs: ago(usable),
    });
    expect(problems(seen(60))).toEqual([
      {
        field: 'groups[a].instances[i-1]',
        code: 'lateNode',
        message:
          "instance i-1 of a came up 7 min after it was given up: its pods were planned elsewhere meanwhile, so another group's new node may be surplus",
      },
    ]);
    expect(problems(seen(61))).toEqual([]);
  });

  it('is also one that AWS launched while its group was backed off', () => {
    const [found] = problems({ firstSeenMs: ago(5), givenUpAtMs: ago(9), usableAtMs: ago(2) });
    expect(found).toMatchObject({ code: 'lateNode' });
    expect(found?.message).toContain('came up 7 min after');
  });

  it('is no news while it has not come, where it was in time, or once its failure is forgotten', () => {
    expect(problems({ firstSeenMs: ago(20), failedAtMs: ago(5) })).toEqual([]);
    expect(problems({ firstSeenMs: ago(20), usableAtMs: ago(18) })).toEqual([]);
    expect(problems({ firstSeenMs: ago(300), failedAtMs: ago(182), usableAtMs: ago(1) })).toEqual(
      [],
    );
  });
});
