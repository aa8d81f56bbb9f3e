import { describe, expect, it } from 'vitest';
import { startLimitOf } from '#scaling/group-policy.ts';
import { observeLedger } from '#scaling/observe-ledger.ts';
import { defaultScalingPolicy } from '#scaling/policy.ts';
import { decide } from '../../helpers/decide.ts';
import {
  group,
  instance,
  ledgerEntry,
  minute,
  nodeOf,
  now,
  pod,
  scaleUpInput,
} from '../../helpers/scaling-builders.ts';

const option = (name: string) =>
  `k8s.io/cluster-autoscaler/node-template/autoscaling-options/${name}`;

describe('the start limit of a group', () => {
  const policy = {
    ...defaultScalingPolicy,
    groups: [{ match: 'slow-*', startLimitSeconds: 1800 }],
  };
  const limitOf = (name: string, tags: Record<string, string> = {}) =>
    startLimitOf(policy, { name, tags });

  it('is what its tags say, both parts together, else what the policy says of it', () => {
    expect(limitOf('workers')).toBe(900);
    expect(limitOf('slow-gpu')).toBe(1800);
    expect(limitOf('slow-gpu', { [option('maxnodeprovisiontime')]: '5m0s' })).toBe(300);
    expect(limitOf('workers', { [option('maxnodestartuptime')]: '40m' })).toBe(2400);
    expect(
      limitOf('workers', {
        [option('maxnodeprovisiontime')]: '10m',
        [option('maxnodestartuptime')]: '30m',
      }),
    ).toBe(2400);
  });

  const starting = instance('i-1');
  const since = (minutes: number, tags: Record<string, string> = {}) => ({
    groups: [group('workers-a', { desired: 1, instances: [starting], tags })],
    nodes: [nodeOf(starting, { ready: 'False' })],
    ledger: [
      ledgerEntry('workers-a', { instances: { 'i-1': { firstSeenMs: now - minutes * minute } } }),
    ],
    pods: [pod('web')],
  });
  const patient = { [option('maxnodeprovisiontime')]: '30m' };
  const hasty = { [option('maxnodeprovisiontime')]: '5m' };

  it('decides how long its nodes count as on their way', () => {
    expect(decide(since(20)).fits).toEqual([]);
    expect(decide(since(20, patient)).fits).toHaveLength(1);
    expect(decide(since(10)).fits).toHaveLength(1);
    expect(decide(since(10, hasty)).fits).toEqual([]);
  });

  it('decides when an instance has failed, and when missing launches have', () => {
    const failed = (minutes: number, tags?: Record<string, string>) =>
      observeLedger(scaleUpInput(since(minutes, tags))).entries[0]?.backOff?.code;
    expect(failed(20)).toBe('neverReady');
    expect(failed(20, patient)).toBeUndefined();
    expect(failed(10, hasty)).toBe('neverReady');
    const owed = (tags: Record<string, string>) =>
      observeLedger(
        scaleUpInput({
          groups: [group('workers-a', { desired: 1, tags })],
          ledger: [ledgerEntry('workers-a', { missingSinceMs: now - 20 * minute })],
        }),
      ).entries[0]?.backOff?.code;
    expect(owed({})).toBe('launchesMissing');
    expect(owed(patient)).toBeUndefined();
  });
});
