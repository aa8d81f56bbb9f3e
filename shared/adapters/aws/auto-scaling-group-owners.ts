import type { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import type { GroupName, GroupOwner, GroupOwners } from '#ports/group-owners.ts';
import { belongsToCluster } from '#scaling/discovery.ts';
import { readAwsObjects } from '#scaling/read-aws-objects.ts';
import { describeGroupsByName } from './auto-scaling-groups.ts';

/** What is known of a cluster that may own groups. */
export interface PossibleOwner extends GroupOwner {
  readonly discoveryTags: Readonly<Record<string, string>>;
  /** Set where its groups are in another account. */
  readonly account?: { readonly roleArn: string; readonly externalId: string };
}

export interface GroupOwnersOptions {
  readonly clusters: () => Promise<readonly PossibleOwner[]>;
  /** The client for a cluster's account. */
  readonly clientFor: (owner: PossibleOwner) => AutoScalingClient;
  readonly nowMs: () => number;
}

/** A group that fails again and again is asked for once in this time. */
const keptMs = 60_000;
const mostKept = 1_000;

const accountOf = ({ account }: PossibleOwner): string | undefined =>
  account?.roleArn.split(':')[4];

/**
 * Owners by the tags that the group carries. Only clusters of the account that the event came from are
 * asked for: a group of the same name elsewhere is another group.
 */
export const autoScalingGroupOwners = (options: GroupOwnersOptions): GroupOwners => {
  const kept = new Map<
    string,
    { readonly untilMs: number; readonly owners: readonly GroupOwner[] }
  >();

  const find = async (group: GroupName): Promise<readonly GroupOwner[]> => {
    const clusters = await options.clusters();
    const there = clusters.filter((cluster) => accountOf(cluster) === group.account);
    // No role names this account: the event came from our own.
    const possible = there.length > 0 ? there : clusters.filter(({ account }) => !account);
    const [first] = possible;
    if (first === undefined) return [];
    const raw = await describeGroupsByName(options.clientFor(first), [group.name]);
    const [found] = readAwsObjects([{ content: { AutoScalingGroups: raw } }]).groups;
    if (found === undefined) return [];
    return possible
      .filter(({ discoveryTags }) => belongsToCluster(found, discoveryTags))
      .map(({ cluster, network }) => ({ cluster, network }));
  };

  return {
    ownersOf: async (group) => {
      const key = `${group.account}/${group.name}`;
      const known = kept.get(key);
      if (known !== undefined && known.untilMs > options.nowMs()) return known.owners;
      const owners = await find(group);
      if (kept.size >= mostKept) kept.clear();
      kept.set(key, { untilMs: options.nowMs() + keptMs, owners });
      return owners;
    },
  };
};
