import type { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { setNewest } from '#cluster/newest.ts';
import { accountOfArn } from '#config/arn.ts';
import type { GroupName, GroupOwner, GroupOwners } from '#ports/group-owners.ts';
import { PortError } from '#ports/port-error.ts';
import type { AutoScalingGroup } from '#scaling/aws-views.ts';
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

/** What one way into an account told. */
interface Answer {
  readonly owners: readonly GroupOwner[];
  /** Set where it could not be asked, so that who owns the group is not known that way. */
  readonly failure?: PortError;
}

const nobody: Answer = { owners: [] };

/**
 * Owners by the tags that the group carries. An event names its account, and we do not know our own: asked are the
 * roles that name that account, and our own account for clusters without a role; a group of the same name
 * elsewhere is another group.
 *
 * @throws PortError where nobody was found and not every way could be asked.
 */
export const autoScalingGroupOwners = (options: GroupOwnersOptions): GroupOwners => {
  const kept = new Map<
    string,
    { readonly untilMs: number; readonly owners: readonly GroupOwner[] }
  >();

  /** The group as the first of these clusters that can be asked sees it, and which of them own it. */
  const ask = async (clusters: readonly PossibleOwner[], group: GroupName): Promise<Answer> => {
    let answer = nobody;
    for (const [first] of Map.groupBy(clusters, wayOf).values()) {
      if (first === undefined) continue;
      try {
        return { owners: ownersAmong(clusters, await describe(first, group)) };
      } catch (error) {
        if (!(error instanceof PortError)) throw error;
        // One role may be revoked: the next one tells the same. Kept is a failure that may pass.
        if (answer.failure?.retryable !== true) answer = { owners: [], failure: error };
      }
    }
    return answer;
  };

  const describe = async (
    cluster: PossibleOwner,
    { name, account }: GroupName,
  ): Promise<AutoScalingGroup | undefined> => {
    const [raw] = await describeGroupsByName(options.clientFor(cluster), [name]);
    const isThere = (accountOfArn(raw?.AutoScalingGroupARN) || account) === account;
    if (raw === undefined || !isThere) return undefined;
    return readAwsObjects([{ content: { AutoScalingGroups: [raw] } }]).groups[0];
  };

  return {
    ownersOf: async (group) => {
      const key = `${group.account}/${group.name}`;
      const known = kept.get(key);
      if (known !== undefined && known.untilMs > options.nowMs()) return known.owners;
      const clusters = await options.clusters();
      const answers = await Promise.all([
        ask(
          clusters.filter(({ account }) => accountOfArn(account?.roleArn) === group.account),
          group,
        ),
        ask(
          clusters.filter(({ account }) => account === undefined),
          group,
        ),
      ]);
      const owners = answers.flatMap((answer) => answer.owners);
      const failure = answers.find((answer) => answer.failure !== undefined)?.failure;
      if (failure === undefined) {
        setNewest(kept, [key, { untilMs: options.nowMs() + keptMs, owners }], mostKept);
      } else if (owners.length === 0) throw failure;
      return owners;
    },
  };
};

/** Clusters that are asked for with the same credentials. */
const wayOf = ({ account }: PossibleOwner): string =>
  account === undefined ? '' : `${account.roleArn} ${account.externalId}`;

const ownersAmong = (
  clusters: readonly PossibleOwner[],
  group: AutoScalingGroup | undefined,
): readonly GroupOwner[] =>
  group === undefined
    ? []
    : clusters
        .filter(({ discoveryTags }) => belongsToCluster(group, discoveryTags))
        .map(({ cluster, network }) => ({ cluster, network }));
