import { describe, expect, it } from 'vitest';
import type { AutoScalingGroup } from '#scaling/aws-views.ts';
import { modeOfGroup } from '#scaling/group-policy.ts';
import type { LedgerEntry } from '#scaling/ledger.ts';
import { observeLedger } from '#scaling/observe-ledger.ts';
import { defaultScalingPolicy } from '#scaling/policy.ts';
import {
  group,
  instance,
  minute,
  nodeOf,
  now,
  scaleUpInput,
} from '../../helpers/scaling-builders.ts';

const observe = (parts: Parameters<typeof scaleUpInput>[0]) => observeLedger(scaleUpInput(parts));

describe('observing the ledger', () => {
  it('notes when an instance was first seen and when its Node was first usable', () => {
    const [one, two] = [instance('i-1'), instance('i-2')];
    const { entries, changed, removed } = observe({
      groups: [group('workers-a', { desired: 2, instances: [two, one] })],
      nodes: [nodeOf(one, { createdAtMs: now - minute })],
    });
    expect(entries).toEqual([
      {
        group: 'workers-a',
        generation: 0,
        instances: {
          'i-1': { firstSeenMs: now - minute, usableAtMs: now },
          'i-2': { firstSeenMs: now },
        },
      },
    ]);
    expect(changed).toEqual(entries);
    expect(removed).toEqual([]);
  });

  it('keeps what it noted, though the Node has failed since', () => {
    const one = instance('i-1');
    const before = {
      group: 'workers-a',
      generation: 3,
      instances: { 'i-1': { firstSeenMs: now - 90 * minute, usableAtMs: now - 80 * minute } },
    };
    const { entries, changed } = observe({
      groups: [group('workers-a', { desired: 1, instances: [one] })],
      nodes: [nodeOf(one, { ready: 'Unknown' })],
      ledger: [before],
    });
    expect(entries).toEqual([before]);
    expect(changed).toEqual([]);
  });

  it('does not call a GPU node usable before its device is there', () => {
    const { type: _, ...gpu } = instance('i-1');
    const { entries } = observe({
      groups: [
        group('gpu', {
          desired: 1,
          instances: [gpu],
          launchTemplate: { id: 'lt-g4', version: '1' },
        }),
      ],
      nodes: [
        nodeOf(gpu, {
          createdAtMs: now - minute,
          labels: { 'node.kubernetes.io/instance-type': 'g4dn.xlarge' },
        }),
      ],
    });
    expect(entries[0]?.instances['i-1']).toEqual({ firstSeenMs: now - minute });
  });

  it('forgets instances that have left the group', () => {
    const { entries, changed } = observe({
      ledger: [
        { group: 'workers-a', generation: 1, instances: { 'i-gone': { firstSeenMs: now - 1 } } },
      ],
    });
    expect(entries).toEqual([{ group: 'workers-a', generation: 1, instances: {} }]);
    expect(changed).toEqual(entries);
  });

  it.each(['Warmed:Stopped', 'Warmed:Running', 'Standby', 'Terminating:Wait'])(
    'forgets both times of an instance while it is %s, so that its start begins anew',
    (lifecycleState) => {
      const look = (
        state: string,
        { at, ledger, over = {} }: { at: number; ledger: readonly LedgerEntry[]; over?: object },
      ) => {
        const one = instance('i-1', { lifecycleState: state });
        const input = scaleUpInput({
          groups: [group('workers-a', { desired: 1, instances: [one] })],
          nodes: [nodeOf(one, { createdAtMs: now - 180 * minute, ...over })],
          ledger,
        });
        return observeLedger({ ...input, nowMs: at }).entries;
      };
      const served = look('InService', { at: now - 120 * minute, ledger: [] });
      expect(served[0]?.instances['i-1']?.usableAtMs).toBe(now - 120 * minute);
      const away = look(lifecycleState, { at: now - 60 * minute, ledger: served });
      expect(away[0]?.instances).toEqual({});
      for (const state of ['Pending', 'InService']) {
        const back = look(state, { at: now, ledger: away, over: { ready: 'Unknown' } });
        expect(back[0]?.instances).toEqual({ 'i-1': { firstSeenMs: now } });
      }
    },
  );

  it('does not take the old Node of an instance out of a warm pool for the start of its first look', () => {
    const one = instance('i-1', { lifecycleState: 'Pending:Wait' });
    const { entries } = observe({
      groups: [group('workers-a', { desired: 1, instances: [one] })],
      nodes: [nodeOf(one, { ready: 'Unknown' })],
    });
    expect(entries[0]?.instances).toEqual({ 'i-1': { firstSeenMs: now } });
  });

  it('takes times that lie ahead, after the clock was set back, for now', () => {
    const one = instance('i-1');
    const ahead = now + 500 * minute;
    const { entries } = observe({
      groups: [group('workers-a', { desired: 2, instances: [one] })],
      ledger: [
        {
          group: 'workers-a',
          generation: 1,
          to: 3,
          toAtMs: ahead,
          missingSinceMs: ahead,
          instances: { 'i-1': { firstSeenMs: ahead, usableAtMs: ahead } },
        },
      ],
    });
    expect(entries[0]).toEqual({
      group: 'workers-a',
      generation: 1,
      to: 3,
      toAtMs: now,
      missingSinceMs: now,
      instances: { 'i-1': { firstSeenMs: now, usableAtMs: now } },
    });
  });

  it('notes since when AWS owes nodes, anew when one is launched, not when more are asked for', () => {
    const owed = (
      desired: number,
      { minutesAgo, of }: { minutesAgo: number; of: Partial<AutoScalingGroup> },
      ledger: readonly LedgerEntry[],
    ) => {
      const input = scaleUpInput({ groups: [group('workers-a', { desired, ...of })], ledger });
      return observeLedger({ ...input, nowMs: now - minutesAgo * minute }).entries;
    };
    const first = owed(2, { minutesAgo: 30, of: {} }, []);
    expect(first[0]?.missingSinceMs).toBe(now - 30 * minute);
    const more = owed(5, { minutesAgo: 20, of: {} }, first);
    expect(more[0]?.missingSinceMs).toBe(now - 30 * minute);
    const instances = [instance('i-1')];
    const launched = owed(5, { minutesAgo: 10, of: { instances } }, more);
    expect(launched[0]?.missingSinceMs).toBe(now - 10 * minute);
    const lowered = owed(1, { minutesAgo: 5, of: { instances } }, launched);
    expect(lowered[0]).not.toHaveProperty('missingSinceMs');
    const suspended = owed(2, { minutesAgo: 5, of: { suspendedProcesses: ['Launch'] } }, first);
    expect(suspended[0]).not.toHaveProperty('missingSinceMs');
  });

  it('closes an expectation that the group itself says now, or that it had a read lag to say', () => {
    const toOf = (desired: number, minutesAgo: number) =>
      observe({
        groups: [group('workers-a', { desired })],
        ledger: [
          {
            group: 'workers-a',
            generation: 1,
            to: 3,
            toAtMs: now - minutesAgo * minute,
            instances: {},
          },
        ],
      }).entries[0]?.to;
    expect(toOf(2, 1)).toBe(3);
    expect(toOf(3, 1)).toBeUndefined();
    expect(toOf(4, 1)).toBeUndefined();
    expect(toOf(2, 1.01)).toBeUndefined();
  });

  it('names the groups that are gone', () => {
    const gone = { group: 'gone', generation: 1, instances: {} };
    expect(observe({ ledger: [gone] }).removed).toEqual(['gone']);
  });
});

describe('the mode of a group', () => {
  it("is its own word, else the cluster's", () => {
    const policy = {
      ...defaultScalingPolicy,
      groups: [{ match: 'trial-*', mode: 'act' as const }, { match: 'other' }],
    };
    expect(modeOfGroup(policy, 'trial-1')).toBe('act');
    expect(modeOfGroup(policy, 'other')).toBe('observe');
    expect(modeOfGroup({ ...policy, mode: 'act' }, 'unnamed')).toBe('act');
  });
});
