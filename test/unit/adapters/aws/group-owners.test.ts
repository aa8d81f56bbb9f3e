import type { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { describe, expect, it } from 'vitest';
import {
  autoScalingGroupOwners,
  type PossibleOwner,
} from '#adapters/aws/auto-scaling-group-owners.ts';
import { defaultDiscoveryTags } from '#scaling/discovery.ts';

const owner = (cluster: string, account?: string): PossibleOwner => ({
  cluster,
  network: 'main',
  discoveryTags: defaultDiscoveryTags(cluster),
  ...(account === undefined
    ? {}
    : { account: { roleArn: `arn:aws:iam::${account}:role/outrider`, externalId: 'x1' } }),
});

const tagged = (name: string, cluster: string) => ({
  AutoScalingGroupName: name,
  MinSize: 0,
  MaxSize: 5,
  DesiredCapacity: 0,
  AvailabilityZones: ['us-east-1a'],
  Instances: [],
  Tags: [
    { Key: 'k8s.io/cluster-autoscaler/enabled', Value: 'true' },
    { Key: `k8s.io/cluster-autoscaler/${cluster}`, Value: 'owned' },
  ],
});

const account = (clusters: readonly PossibleOwner[], groups: readonly object[]) => {
  const asked: string[] = [];
  let nowMs = 1_000_000;
  const owners = autoScalingGroupOwners({
    clusters: async () => clusters,
    clientFor: (one) =>
      ({
        send: async () => {
          asked.push(one.cluster);
          return { AutoScalingGroups: groups };
        },
      }) as unknown as AutoScalingClient,
    nowMs: () => nowMs,
  });
  return {
    owners,
    asked,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
};

describe('owners of a group', () => {
  it('are the clusters whose discovery tags it carries', async () => {
    const { owners } = account([owner('shop'), owner('crate')], [tagged('a', 'crate')]);
    expect(await owners.ownersOf({ account: '111122223333', name: 'a' })).toEqual([
      { cluster: 'crate', network: 'main' },
    ]);
  });

  it('are none of a group that is gone, or of one whose name only begins alike', async () => {
    const { owners } = account([owner('shop')], [tagged('a-2', 'shop')]);
    expect(await owners.ownersOf({ account: '111122223333', name: 'a' })).toEqual([]);
  });

  it('are looked for with the role of the account that the event came from, and nowhere else', async () => {
    const clusters = [owner('shop'), owner('far', '210987654321')];
    const { owners, asked } = account(clusters, [tagged('a', 'far')]);
    expect(await owners.ownersOf({ account: '210987654321', name: 'a' })).toEqual([
      { cluster: 'far', network: 'main' },
    ]);
    expect(asked).toEqual(['far']);
    // The same name in our own account is another group, whatever its tags say.
    expect(await owners.ownersOf({ account: '111122223333', name: 'a' })).toEqual([]);
  });

  it('are asked for once a minute, however often a launch fails', async () => {
    const { owners, asked, pass } = account([owner('shop')], [tagged('a', 'shop')]);
    const group = { account: '111122223333', name: 'a' };
    await owners.ownersOf(group);
    await owners.ownersOf(group);
    expect(asked).toHaveLength(1);
    pass(60_001);
    await owners.ownersOf(group);
    expect(asked).toHaveLength(2);
  });
});
