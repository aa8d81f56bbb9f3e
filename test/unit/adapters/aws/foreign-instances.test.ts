import type { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { describe, expect, it } from 'vitest';
import { foreignInstances, type WhoseGroups } from '#adapters/aws/foreign-instances.ts';
import { defaultDiscoveryTags } from '#scaling/discovery.ts';
import { clientOf, refuse } from '../../../helpers/fake-aws-client.ts';

type Tags = Readonly<Record<string, string>>;

const idOf = (number: number): string => `i-${number.toString(16).padStart(17, '0')}`;
const caTags = (cluster: string): Tags => ({
  'k8s.io/cluster-autoscaler/enabled': 'true',
  [`k8s.io/cluster-autoscaler/${cluster}`]: 'owned',
});

/** Instances by the name of their group, and groups by name with their tags. */
const account = (
  instances: Readonly<Record<string, string>>,
  groups: Readonly<Record<string, Tags>>,
) =>
  clientOf((input, command) => {
    if (command === 'DescribeAutoScalingInstancesCommand') {
      const ids = input.InstanceIds as readonly string[];
      if (ids.length > 50) refuse('ValidationError');
      return {
        AutoScalingInstances: ids
          .filter((id) => instances[id] !== undefined)
          .map((id) => ({ InstanceId: id, AutoScalingGroupName: instances[id] })),
      };
    }
    const names = input.AutoScalingGroupNames as readonly string[];
    if (names.length > 100) refuse('ValidationError');
    return {
      AutoScalingGroups: names
        .filter((name) => groups[name] !== undefined)
        .map((name) => ({
          AutoScalingGroupName: name,
          Tags: Object.entries(groups[name] ?? {}).map(([Key, Value]) => ({ Key, Value })),
        })),
    };
  });

const owners: WhoseGroups = { discoveryTags: defaultDiscoveryTags('mine') };
const finder = (
  { client }: ReturnType<typeof account>,
  asSeenBy: WhoseGroups = owners,
  nowMs?: () => number,
) => foreignInstances(client as unknown as AutoScalingClient, asSeenBy, nowMs);

describe('foreign instances', () => {
  it('are those of groups that another cluster’s tag names', async () => {
    const of = account(
      { [idOf(1)]: 'theirs', [idOf(2)]: 'mine', [idOf(3)]: 'nobodys', [idOf(5)]: 'shared' },
      {
        theirs: {
          ...caTags('other'),
          'k8s.io/cluster-autoscaler/node-template/label/team': 'a',
        },
        mine: caTags('mine'),
        nobodys: { 'k8s.io/cluster-autoscaler/node-template/label/team': 'a', Name: 'db' },
        shared: { ...caTags('mine'), ...caTags('other') },
      },
    );
    const asked = [5, 4, 3, 2, 1, 1].map(idOf);
    expect(await finder(of).find(asked)).toEqual([
      { id: idOf(1), group: 'theirs', cluster: 'other' },
    ]);
  });

  it('are found by the own discovery tags of the other clusters', async () => {
    const of = account({ [idOf(1)]: 'g' }, { g: { team: 'red', 'owned-by': 'b' } });
    const others = [
      { name: 'c', discoveryTags: { team: '' } },
      { name: 'b', discoveryTags: { team: 'red' } },
      { name: 'a', discoveryTags: { team: 'blue' } },
    ];
    expect(await finder(of, { ...owners, others }).find([idOf(1)])).toEqual([
      { id: idOf(1), group: 'g', cluster: 'b' },
    ]);
    expect(await finder(of).find([idOf(1)])).toEqual([]);
  });

  // Known fault 70: one call per name throttles the account.
  it('are asked for in batches: fifty instances and a hundred groups a call', async () => {
    const ids = Array.from({ length: 230 }, (_, index) => idOf(index));
    const of = account(
      Object.fromEntries(ids.map((id) => [id, `group-${id}`])),
      Object.fromEntries(ids.map((id) => [`group-${id}`, caTags('other')])),
    );
    expect(await finder(of).find(ids)).toHaveLength(230);
    const sizes = of.inputs.map(
      ({ InstanceIds, AutoScalingGroupNames }) =>
        ((InstanceIds ?? AutoScalingGroupNames) as unknown[]).length,
    );
    expect(sizes).toEqual([50, 50, 50, 50, 30, 100, 100, 30]);
  });

  it('are asked for once, and whatever is in no other cluster’s group again after ten minutes', async () => {
    let now = 0;
    const instances: Record<string, string> = { [idOf(1)]: 'theirs' };
    const of = account(instances, { theirs: caTags('other') });
    const foreign = finder(of, owners, () => now);
    const both = [idOf(1), idOf(2)];
    expect(await foreign.find(both)).toHaveLength(1);
    instances[idOf(2)] = 'theirs';
    now = 10 * 60_000 - 1;
    expect(await foreign.find(both)).toHaveLength(1);
    expect(of.commands).toHaveLength(2);
    now += 1;
    expect(await foreign.find(both)).toHaveLength(2);
    expect(of.inputs[2]).toEqual({ InstanceIds: [idOf(2)] });
  });

  it('are never asked for by what is no instance id', async () => {
    const of = account({}, {});
    expect(await finder(of).find(['', 'i-', 'web-1', `${idOf(1)}x`, 'i-ABCDEF12'])).toEqual([]);
    expect(of.commands).toEqual([]);
  });

  it('are unknown, and remembered as nothing, where AWS does not answer', async () => {
    let isDown = true;
    const of = account({ [idOf(1)]: 'theirs' }, { theirs: caTags('other') });
    const client = {
      send: (command: never) => (isDown ? refuse('Throttling') : of.client.send(command)),
    } as unknown as AutoScalingClient;
    const foreign = foreignInstances(client, owners);
    await expect(foreign.find([idOf(1)])).rejects.toMatchObject({ code: 'throttled' });
    isDown = false;
    expect(await foreign.find([idOf(1)])).toHaveLength(1);
  });
});
