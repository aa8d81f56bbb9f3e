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

  it('are looked for with the role of the account that the event came from, and in our own', async () => {
    const clusters = [owner('shop'), owner('far', '210987654321')];
    const { owners, asked } = account(clusters, [tagged('a', 'far')]);
    expect(await owners.ownersOf({ account: '210987654321', name: 'a' })).toEqual([
      { cluster: 'far', network: 'main' },
    ]);
    // We do not know our own account's number: it may be this one.
    expect(asked.toSorted()).toEqual(['far', 'shop']);
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

const accountNumber = '111122223333';
const group = { account: accountNumber, name: 'a' };
const arnIn = (number: string) =>
  `arn:aws:autoscaling:us-east-1:${number}:autoScalingGroup:0c1d:autoScalingGroupName/a`;
const refused = () => Object.assign(new Error('no'), { name: 'AccessDenied' });
const throttled = () => Object.assign(new Error('slow'), { name: 'Throttling' });

/** What each cluster's client answers: groups, or an error. */
const answering = (
  clusters: readonly PossibleOwner[],
  answers: Record<string, readonly object[] | (() => Error)>,
) => {
  const asked: string[] = [];
  const owners = autoScalingGroupOwners({
    clusters: async () => clusters,
    clientFor: ({ cluster }) =>
      ({
        send: async () => {
          asked.push(cluster);
          const answer = answers[cluster] ?? [];
          if (typeof answer === 'function') throw answer();
          return { AutoScalingGroups: answer };
        },
      }) as unknown as AutoScalingClient,
    nowMs: () => 1_000_000,
  });
  return { owners, asked };
};

const otherRole = (cluster: string, role: string): PossibleOwner => ({
  ...owner(cluster),
  account: { roleArn: `arn:aws:iam::${accountNumber}:role/${role}`, externalId: 'x1' },
});

describe('owners of a group in an account that clusters reach with a role and without one', () => {
  const clusters = [owner('plain'), otherRole('roled', 'a')];

  it.each(['plain', 'roled'])('are found among both kinds: %s', async (cluster) => {
    const found = [{ ...tagged('a', cluster), AutoScalingGroupARN: arnIn(accountNumber) }];
    const { owners } = answering(clusters, { plain: found, roled: found });
    expect(await owners.ownersOf(group)).toEqual([{ cluster, network: 'main' }]);
  });

  it('are not those of a group of the same name in our own account', async () => {
    const { owners } = answering(clusters, {
      plain: [{ ...tagged('a', 'plain'), AutoScalingGroupARN: arnIn('444455556666') }],
      roled: [{ ...tagged('a', 'roled'), AutoScalingGroupARN: arnIn(accountNumber) }],
    });
    expect(await owners.ownersOf(group)).toEqual([{ cluster: 'roled', network: 'main' }]);
  });

  it('are not clusters of our account where only the role finds the group', async () => {
    const { owners } = answering(clusters, { roled: [tagged('a', 'plain')] });
    expect(await owners.ownersOf(group)).toEqual([]);
  });

  it('are told though the other way fails, and asked for again', async () => {
    const { owners, asked } = answering(clusters, {
      plain: [tagged('a', 'plain')],
      roled: refused,
    });
    expect(await owners.ownersOf(group)).toEqual([{ cluster: 'plain', network: 'main' }]);
    await owners.ownersOf(group);
    expect(asked.toSorted()).toEqual(['plain', 'plain', 'roled', 'roled']);
  });

  it('are unknown where one way finds nothing and the other fails', async () => {
    const { owners } = answering(clusters, { roled: throttled });
    await expect(owners.ownersOf(group)).rejects.toMatchObject({ code: 'throttled' });
  });
});

describe('owners of a group in an account with several roles', () => {
  const clusters = [otherRole('shop', 'a'), otherRole('crate', 'b'), otherRole('more', 'b')];

  it('are found though a role was revoked', async () => {
    const { owners, asked } = answering(clusters, { shop: refused, crate: [tagged('a', 'more')] });
    expect(await owners.ownersOf(group)).toEqual([{ cluster: 'more', network: 'main' }]);
    // The second role answers for the whole account, so that the answer is whole, and kept.
    await owners.ownersOf(group);
    expect(asked).toEqual(['shop', 'crate']);
  });

  it('are those of a revoked role too', async () => {
    const { owners } = answering(clusters, { shop: refused, crate: [tagged('a', 'shop')] });
    expect(await owners.ownersOf(group)).toEqual([{ cluster: 'shop', network: 'main' }]);
  });

  it('are asked for by each role once', async () => {
    const { owners, asked } = answering(clusters, { shop: [tagged('a', 'crate')] });
    await owners.ownersOf(group);
    expect(asked).toEqual(['shop']);
  });

  it('are unknown where every role fails; one that may be asked again says so', async () => {
    const { owners, asked } = answering(clusters, { shop: refused, crate: throttled });
    await expect(owners.ownersOf(group)).rejects.toMatchObject({ code: 'throttled' });
    expect(asked).toEqual(['shop', 'crate']);
  });
});
