import { describe, expect, it } from 'vitest';
import type { ScaleUpDecision } from '#scaling/decision.ts';
import type { LedgerEntry } from '#scaling/ledger.ts';
import { claimedInstances, foundQuiet, groupsToAsk, isQuiet } from '#scaling/what-to-ask.ts';
import { decide } from '../../helpers/decide.ts';
import {
  backOff,
  boundPod,
  group,
  type InputParts,
  instance,
  ledgerEntry,
  minute,
  node,
  nodeOf,
  now,
  pod,
  scaleUpInput,
} from '../../helpers/scaling-builders.ts';

const unsettled: readonly (readonly [string, Partial<LedgerEntry>])[] = [
  ['an open intent', { intent: { id: 'x', from: 0, to: 1, atMs: now, decision: 'd' } }],
  ['a raise that does not show yet', { to: 3, toAtMs: now }],
  ['nodes that AWS owes', { missingSinceMs: now }],
  ['an instance that starts', { instances: { 'i-1': { firstSeenMs: now } } }],
];

describe('the groups whose launches are asked for', () => {
  it('are those that miss instances and whose Launch process runs, by name', () => {
    const groups = [
      group('whole', { desired: 1, instances: [instance('i-1')] }),
      group('short', { desired: 2, instances: [instance('i-2')] }),
      group('leaving', {
        desired: 1,
        instances: [instance('i-3', { lifecycleState: 'Terminating' })],
      }),
      group('suspended', { desired: 2, suspendedProcesses: ['Launch'] }),
      group('asked-for'),
    ];
    const { nodeGroups } = scaleUpInput({ groups });
    const ledger = [ledgerEntry('asked-for', { to: 1, toAtMs: now })];
    expect(groupsToAsk(nodeGroups, ledger)).toEqual(['asked-for', 'leaving', 'short']);
  });
});

describe('the instances that are asked after', () => {
  it('are those that Nodes claim and no group has', () => {
    const own = instance('i-1');
    const { nodeGroups, snapshot } = scaleUpInput({
      groups: [group('a', { instances: [own] })],
      nodes: [
        nodeOf(own),
        node('z', { providerId: 'aws:///us-east-1a/i-9' }),
        node('y', { providerId: 'aws:///us-east-1a/i-8' }),
        node('x', { providerId: 'aws:///us-east-1a/i-9' }),
        node('metal', { providerId: 'metal://rack-1' }),
        node('bare'),
      ],
    });
    expect(claimedInstances(nodeGroups, snapshot)).toEqual(['i-8', 'i-9']);
  });
});

describe('a quiet look', () => {
  const minuteOf = (cluster: string): readonly number[] =>
    [0, 1, 2, 3, 4].filter((index) => !quiet({}, { cluster, nowMs: now + index * minute }));
  const quiet = (parts: InputParts, over: object = {}) => {
    const { snapshot, ledger, policy } = scaleUpInput(parts);
    // "demo" has its turn in another of the five minutes.
    return isQuiet({ cluster: 'demo', snapshot, ledger, policy, nowMs: now + minute, ...over });
  };

  it('stops before it asks AWS where no pod waits and nothing is on its way', () => {
    expect(quiet({})).toBe(true);
    const settled = {
      'i-1': { firstSeenMs: now, usableAtMs: now },
      'i-2': { firstSeenMs: now, failedAtMs: now },
    };
    const over = backOff({ untilMs: now });
    expect(quiet({ ledger: [ledgerEntry('a', { instances: settled, backOff: over })] })).toBe(true);
    expect(quiet({ pods: [boundPod('web', 'n'), pod('gated', { gated: true })] })).toBe(true);
  });

  it('does not stop where a pod waits for a node', () => {
    expect(quiet({ pods: [pod('web')] })).toBe(false);
  });

  it.each([...unsettled, ['a back-off', { backOff: backOff() }] as const])(
    'does not stop at %s',
    (_, entry) => {
      expect(quiet({ ledger: [ledgerEntry('a'), ledgerEntry('b', entry)] })).toBe(false);
    },
  );

  it('looks all the same in one minute of five, which the name decides', () => {
    const clusters = Array.from({ length: 200 }, (_, index) => `cluster-${index}`);
    const turns = clusters.map(minuteOf);
    expect(turns.every((minutes) => minutes.length === 1)).toBe(true);
    const counts = [0, 1, 2, 3, 4].map((turn) => turns.filter(([at]) => at === turn).length);
    expect(Math.min(...counts)).toBeGreaterThan(20);
    expect(minuteOf('demo')).toEqual(minuteOf('demo'));
  });
});

describe('a decision that found all quiet', () => {
  const nothing = decide({});
  const found = (over: Partial<ScaleUpDecision>) => foundQuiet({ ...nothing, ...over }, []);

  it('has nothing to do and nothing on its way', () => {
    expect(foundQuiet(nothing, [ledgerEntry('a')])).toBe(true);
    const blocked = { group: 'a', code: 'launchSuspended', message: '' };
    expect(found({ blockedGroups: [blocked] })).toBe(true);
    expect(found({ blockedGroups: [{ ...blocked, code: 'backedOff' }] })).toBe(false);
  });

  it.each(unsettled)('is none beside %s', (_, entry) => {
    expect(foundQuiet(nothing, [ledgerEntry('a', entry)])).toBe(false);
  });

  it('is none where groups are to be sized, pods wait, or somebody must be woken', () => {
    const raising = decide({ pods: [pod('web')] });
    expect(foundQuiet(raising, [])).toBe(false);
    expect(found({ takeBacks: [{ group: 'a', from: 1, to: 0, reason: '' }] })).toBe(false);
    expect(found({ fits: [{ pod: 'p', node: 'n' }] })).toBe(false);
    expect(found({ stuck: [{ pod: 'p', reasons: [] }] })).toBe(false);
    expect(
      found({ alerts: [{ kind: 'k', subject: 's', sinceMs: 0, summary: '', text: '' }] }),
    ).toBe(false);
  });
});
