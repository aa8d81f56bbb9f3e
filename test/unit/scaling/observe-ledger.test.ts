import { describe, expect, it } from 'vitest';
import { modeOfGroup } from '#scaling/group-policy.ts';
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

  it('closes an expectation that the group itself says now, or that is older than the start limit', () => {
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
    expect(toOf(2, 16)).toBeUndefined();
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
