import { describe, expect, it } from 'vitest';
import { decideScaleUp } from '#scaling/decide-scale-up.ts';
import { observeLedger } from '#scaling/observe-ledger.ts';
import { codes, decide, raises } from '../../helpers/decide.ts';
import {
  backOff,
  cpuAndMemory,
  failedLaunch,
  group,
  type InputParts,
  instance,
  ledgerEntry,
  minute,
  node,
  nodeOf,
  now,
  pods,
  scaleUpInput,
} from '../../helpers/scaling-builders.ts';

/** As a look does: observed first, then decided. */
const lookAt = (parts: InputParts, minutesLater = 0) => {
  const input = { ...scaleUpInput(parts), nowMs: now + minutesLater * minute };
  return decideScaleUp({ ...input, ledger: observeLedger(input).entries });
};

const backedOff = ledgerEntry('a', { backOff: backOff() });
const wide = { requests: cpuAndMemory(1500) };

describe('a group that is backed off', () => {
  it('is not raised: its pods are planned on the next group in the same decision', () => {
    const parts = {
      groups: [group('a', { desired: 2 }), group('b')],
      launches: [failedLaunch('a', 0.5)],
      pods: pods(2, 'web', wide),
    };
    const { scaleUps, fits } = lookAt(parts);
    expect(scaleUps.map(({ group: name, from, to }) => [name, from, to])).toEqual([['b', 0, 2]]);
    expect(fits).toEqual([]);
    expect(raises({ ...parts, groups: [group('a', { desired: 2 }), group('b')] })).toEqual([]);
  });

  it('says why, how often, and until when', () => {
    const parts = { groups: [group('a')], ledger: [backedOff], pods: pods(1, 'web') };
    expect(codes(parts, 'web-1')).toEqual([['a', 'backedOff']]);
    expect(decide(parts).blockedGroups).toEqual([
      {
        group: 'a',
        code: 'backedOff',
        message:
          'it is left alone until 2027-01-15T08:04:00Z after 1 failure in a row, the last at 2027-01-15T07:59:00Z (InsufficientInstanceCapacity: no m5.large in us-east-1a): nothing is asked of it till then, what AWS owes it is not counted on, and pods are planned on other groups',
      },
    ]);
  });

  it('still gives its pods the instances that exist and start, and the nodes that are up', () => {
    const [up, starting] = [instance('i-1'), instance('i-2')];
    const parts = {
      groups: [group('a', { desired: 5, instances: [up, starting] })],
      nodes: [nodeOf(up)],
      ledger: [ledgerEntry('a', { ...backedOff, instances: { 'i-2': { firstSeenMs: now } } })],
      pods: pods(3, 'web', wide),
    };
    const { fits, stuck } = decide(parts);
    expect(fits.map(({ node }) => node)).toEqual(['node-i-1', 'group/a/coming-1']);
    expect(stuck.map(({ pod }) => pod)).toEqual(['default/web-3']);
  });

  it('is asked again, and counted on for what AWS owes it, once the back-off has ended', () => {
    const parts = {
      groups: [group('a', { desired: 1 }), group('b')],
      ledger: [backedOff],
      pods: pods(2, 'web', wide),
      policy: { balanceSimilarGroups: false },
    };
    expect(lookAt(parts).scaleUps.map(({ group: name, to }) => [name, to])).toEqual([['b', 2]]);
    const later = lookAt(parts, 4);
    expect(later.fits).toHaveLength(1);
    expect(later.scaleUps.map(({ group: name, to }) => [name, to])).toEqual([['a', 2]]);
  });

  it('is left for another though its own minimum is not there', () => {
    const owed = ledgerEntry('a', { missingSinceMs: now - 16 * minute });
    const parts = {
      groups: [group('a', { min: 2, desired: 3 }), group('b')],
      ledger: [owed],
      pods: pods(1, 'web'),
    };
    const decision = lookAt(parts);
    expect(decision.scaleUps.map(({ group: name }) => name)).toEqual(['b']);
    expect(decision.blockedGroups.map(({ code }) => code)).toEqual(['backedOff']);
  });

  it('does not hold up the others: nodes that are all broken are the trouble of one group', () => {
    const broken = [instance('i-1'), instance('i-2')];
    const parts = {
      groups: [group('a', { desired: 2, instances: broken }), group('b')],
      nodes: broken.map((one) => nodeOf(one, { ready: 'Unknown' })),
      ledger: [
        ledgerEntry('a', {
          instances: {
            'i-1': { firstSeenMs: now - 16 * minute },
            'i-2': { firstSeenMs: now - 16 * minute },
          },
        }),
      ],
      pods: pods(1, 'web'),
    };
    expect(lookAt(parts).scaleUps.map(({ group: name }) => name)).toEqual(['b']);
  });

  it('is not what Nodes of no group make of it, however unready they are', () => {
    const strays = ['x', 'y', 'z'].map((name) => node(name, { ready: 'Unknown' }));
    const decision = lookAt({ groups: [group('a')], nodes: strays, pods: pods(1, 'web') });
    expect(decision.scaleUps.map(({ group: name }) => name)).toEqual(['a']);
    expect(decision.blockedGroups).toEqual([]);
  });

  it('is raised beside an instance of its minimum that never became a Node, once it may be again', () => {
    const parts = {
      groups: [group('a', { min: 1, desired: 1, instances: [instance('i-1')] })],
      ledger: [ledgerEntry('a', { instances: { 'i-1': { firstSeenMs: now - 16 * minute } } })],
      pods: pods(1, 'web'),
    };
    expect(lookAt(parts).stuck[0]?.reasons.map(({ code }) => code)).toEqual(['backedOff']);
    const { entries: ledger } = observeLedger(scaleUpInput(parts));
    const later = lookAt({ ...parts, ledger }, 5);
    expect(later.scaleUps.map(({ from, to }) => [from, to])).toEqual([[1, 2]]);
  });

  it('is not one whose Node somebody deleted: the instance is neither coming nor a failure', () => {
    const parts = {
      groups: [group('a', { desired: 1, instances: [instance('i-1')] })],
      ledger: [
        ledgerEntry('a', {
          instances: { 'i-1': { firstSeenMs: now - 90 * minute, usableAtMs: now - 85 * minute } },
        }),
      ],
      pods: pods(1, 'web'),
    };
    const { blockedGroups, fits, scaleUps } = lookAt(parts);
    expect([blockedGroups, fits]).toEqual([[], []]);
    expect(scaleUps.map(({ from, to }) => [from, to])).toEqual([[1, 2]]);
  });

  it('is not one whose launches AWS only throttles', () => {
    const parts = {
      groups: [group('a', { desired: 1 }), group('b')],
      launches: [failedLaunch('a', 1, { message: 'Request limit exceeded.' })],
      pods: pods(1, 'web'),
    };
    const { blockedGroups, fits } = lookAt(parts);
    expect(blockedGroups).toEqual([]);
    expect(fits).toHaveLength(1);
  });

  it('is decided on in records of a time before there was a back-off', () => {
    const input = scaleUpInput({ groups: [group('a', { desired: 1 })], pods: pods(1, 'web') });
    const { backOff: _, launchesPerPod: _limit, ...policy } = input.policy;
    const old = { ...input, policy, ledger: [ledgerEntry('a', { missingSinceMs: now - minute })] };
    expect(decideScaleUp(old).fits).toHaveLength(1);
    const failing = {
      ...old,
      nodeGroups: { ...old.nodeGroups, launches: [failedLaunch('a', 1)] },
    };
    expect(observeLedger(failing).entries[0]?.backOff?.untilMs).toBe(now + 4 * minute);
  });

  it('says that its Launch process is suspended before it says that it is backed off', () => {
    const suspended = group('a', { desired: 3, suspendedProcesses: ['Launch'] });
    const { blockedGroups, takeBacks, problems } = decide({
      groups: [suspended],
      ledger: [backedOff],
    });
    expect(blockedGroups.map(({ code }) => code)).toEqual(['launchSuspended']);
    expect([takeBacks, problems]).toEqual([[], []]);
  });
});
