import { describe, expect, it } from 'vitest';
import type { AutoScalingGroup } from '#scaling/aws-views.ts';
import { mayTakeBack } from '#scaling/take-back.ts';
import { decide } from '../../helpers/decide.ts';
import {
  backOff,
  group,
  instance,
  ledgerEntry,
  minute,
  now,
} from '../../helpers/scaling-builders.ts';

const safe = (id: string, lifecycleState = 'InService') =>
  instance(id, { lifecycleState, protectedFromScaleIn: true });

const ask = (over: Partial<AutoScalingGroup>) =>
  mayTakeBack(group('a', { newInstancesProtected: true, ...over }));

describe('the size that desired capacity may be taken back to', () => {
  it('is that of the instances there are, but not below the minimum', () => {
    expect(ask({ desired: 5, instances: [safe('i-1'), safe('i-2')] })).toEqual({ to: 2 });
    expect(ask({ desired: 5, min: 3, instances: [safe('i-1')] })).toEqual({ to: 3 });
    expect(ask({ desired: 5 })).toEqual({ to: 0 });
  });

  it.each(['Pending', 'Pending:Wait', 'Standby', 'EnteringStandby', 'Detaching'])(
    'counts an instance that is %s',
    (lifecycleState) => {
      expect(ask({ desired: 5, instances: [safe('i-1', lifecycleState)] })).toEqual({ to: 1 });
    },
  );

  it.each(['Terminating', 'Terminating:Wait', 'Terminated', 'Detached', 'Warmed:Stopped'])(
    'does not count an instance that is %s, nor ask for its protection',
    (lifecycleState) => {
      const going = instance('i-2', { lifecycleState });
      expect(ask({ desired: 5, instances: [safe('i-1'), going] })).toEqual({ to: 1 });
    },
  );

  it('is never above what is desired: it does not raise', () => {
    expect(ask({ desired: 1, instances: [safe('i-1'), safe('i-2')] })).toEqual({ to: 1 });
    expect(ask({ desired: 1, min: 3 })).toEqual({ to: 1 });
  });

  it('is refused where AWS could terminate a running instance for it', () => {
    expect(ask({ desired: 5, newInstancesProtected: false, instances: [safe('i-1')] })).toEqual({
      refused: 'new instances of the group are not protected from scale-in',
    });
    expect(ask({ desired: 5, instances: [safe('i-1'), instance('i-2')] })).toEqual({
      refused: 'i-2 is not protected from scale-in',
    });
    const open = [instance('i-3'), instance('i-1'), instance('i-2')];
    expect(ask({ desired: 5, instances: open })).toEqual({
      refused: 'i-1 and 2 other instances are not protected from scale-in',
    });
  });
});

describe('a decision on a backed-off group that is owed nodes', () => {
  const decided = (over: Partial<AutoScalingGroup>, untilMs = now + minute) =>
    decide({
      groups: [group('a', { newInstancesProtected: true, ...over })],
      ledger: [ledgerEntry('a', { backOff: backOff({ untilMs }) })],
    });

  it('takes back what does not come', () => {
    const { takeBacks, problems } = decided({ desired: 3, instances: [safe('i-1')] });
    expect(takeBacks).toEqual([
      {
        group: 'a',
        from: 3,
        to: 1,
        reason:
          '2 of the 3 nodes it asks for do not come (InsufficientInstanceCapacity): it keeps the 1 instance that it has',
      },
    ]);
    expect(problems).toEqual([]);
    expect(decided({ desired: 3, min: 2 }).takeBacks).toMatchObject([
      { to: 2, reason: expect.stringContaining('it keeps its minimum of 2') },
    ]);
  });

  it('takes back nothing that is there or that the minimum asks for, and nothing after its end', () => {
    expect(decided({ desired: 1, instances: [safe('i-1')] }).takeBacks).toEqual([]);
    expect(decided({ desired: 3, min: 3 }).takeBacks).toEqual([]);
    expect(decided({ desired: 3 }, now).takeBacks).toEqual([]);
  });

  it('leaves it where AWS might terminate a running node instead, and says so with the remedy', () => {
    const { takeBacks, problems } = decided({
      desired: 3,
      instances: [safe('i-1')],
      newInstancesProtected: false,
    });
    expect(takeBacks).toEqual([]);
    expect(problems).toEqual([
      {
        field: 'groups[a].desired',
        code: 'desiredStays',
        message:
          'desired capacity of a stays at 3 though 2 of them do not come (InsufficientInstanceCapacity): new instances of the group are not protected from scale-in, so AWS might terminate a running node instead; protect all of its instances and new ones from scale-in, or lower it to 1 by hand once no launch is under way',
      },
    ]);
  });

  it('takes back nothing beside another scaler that is at work', () => {
    const decision = decide({
      groups: [group('a', { newInstancesProtected: true, desired: 3 })],
      ledger: [ledgerEntry('a', { backOff: backOff() })],
      leases: [
        { namespace: 'kube-system', name: 'cluster-autoscaler', holder: 'x', renewedAtMs: now },
      ],
    });
    expect(decision.takeBacks).toEqual([]);
    expect(decision.problems.map(({ code }) => code)).toEqual(['otherScaler']);
  });
});
