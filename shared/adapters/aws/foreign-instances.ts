import {
  type AutoScalingClient,
  DescribeAutoScalingInstancesCommand,
} from '@aws-sdk/client-auto-scaling';
import { setNewest } from '#cluster/newest.ts';
import type { ForeignInstance } from '#scaling/aws-views.ts';
import { belongsToCluster, clusterTagPrefix } from '#scaling/discovery.ts';
import { describeGroupsByName } from './auto-scaling-groups.ts';
import { calling } from './aws-error.ts';

/** Whose groups are whose, as one cluster sees it. */
export interface WhoseGroups {
  /** Of the cluster that asks: a group that carries them is not foreign. */
  readonly discoveryTags: Readonly<Record<string, string>>;
  /** The other clusters of the same account whose groups may carry tags of their own. */
  readonly others?: readonly OtherCluster[];
}

export interface OtherCluster {
  readonly name: string;
  readonly discoveryTags: Readonly<Record<string, string>>;
}

export interface ForeignInstances {
  /** Of these instances those that a group of another cluster has, by id. */
  find(instanceIds: readonly string[]): Promise<readonly ForeignInstance[]>;
}

/** The most ids that one DescribeAutoScalingInstances call takes. */
const idsPerCall = 50;

/** A Node's word for its instance is a claim: one id that is none fails a call for all. */
const isInstanceId = (id: string): boolean => /^i-[0-9a-f]{8,17}$/.test(id);

/** An instance never changes its group while it lives; one in no group may be attached to one. */
const noneKeptMs = 10 * 60 * 1000;

const mostKept = 20_000;

interface Kept {
  readonly found: ForeignInstance | undefined;
  readonly untilMs: number;
}

/**
 * Finds the groups of instances, and by the groups' tags the clusters. Keep one per cluster for the life of the
 * process: an instance of another cluster's is asked for once, any other again after ten minutes.
 */
export function foreignInstances(
  client: AutoScalingClient,
  owners: WhoseGroups,
  nowMs: () => number = Date.now,
): ForeignInstances {
  const kept = new Map<string, Kept>();

  return {
    async find(instanceIds) {
      const now = nowMs();
      const wanted = [...new Set(instanceIds)].filter(isInstanceId).sort();
      const known = new Map(
        wanted.flatMap((id) => {
          const entry = kept.get(id);
          return entry !== undefined && entry.untilMs > now ? [[id, entry.found] as const] : [];
        }),
      );
      const asked = wanted.filter((id) => !known.has(id));
      for (const [id, found] of await ask(client, owners, asked)) {
        known.set(id, found);
        const untilMs = found === undefined ? now + noneKeptMs : Infinity;
        setNewest(kept, [id, { found, untilMs }], mostKept);
      }
      return wanted.flatMap((id) => known.get(id) ?? []);
    },
  };
}

async function ask(
  client: AutoScalingClient,
  owners: WhoseGroups,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ForeignInstance | undefined>> {
  const groupOf = await groupsOf(client, ids);
  const clusterOf = new Map<string, string | undefined>();
  for (const group of await describeGroupsByName(client, [...groupOf.values()])) {
    const tags = Object.fromEntries((group.Tags ?? []).map(({ Key, Value }) => [Key, Value ?? '']));
    clusterOf.set(group.AutoScalingGroupName ?? '', otherClusterOf(tags, owners));
  }
  return new Map(
    ids.map((id) => {
      const group = groupOf.get(id);
      const cluster = group === undefined ? undefined : clusterOf.get(group);
      const isForeign = group !== undefined && cluster !== undefined;
      return [id, isForeign ? { id, group, cluster } : undefined];
    }),
  );
}

/** The group of each instance that is in one. */
async function groupsOf(
  client: AutoScalingClient,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const groups = new Map<string, string>();
  for (let from = 0; from < ids.length; from += idsPerCall) {
    const command = new DescribeAutoScalingInstancesCommand({
      InstanceIds: ids.slice(from, from + idsPerCall),
    });
    const answer = await calling('DescribeAutoScalingInstances', () => client.send(command));
    for (const { InstanceId, AutoScalingGroupName } of answer.AutoScalingInstances ?? []) {
      if (InstanceId && AutoScalingGroupName) groups.set(InstanceId, AutoScalingGroupName);
    }
  }
  return groups;
}

/**
 * The other cluster whose group carries these tags; of several the first by name. Besides Outrider's own
 * clusters it knows those that Cluster Autoscaler looks after, by its tag `k8s.io/cluster-autoscaler/<cluster>`.
 */
function otherClusterOf(
  tags: Readonly<Record<string, string>>,
  { discoveryTags, others = [] }: WhoseGroups,
): string | undefined {
  if (belongsToCluster({ tags }, discoveryTags)) return undefined;
  const configured = others.filter((other) => belongsToCluster({ tags }, other.discoveryTags));
  const [first] = configured.map(({ name }) => name).sort();
  if (first !== undefined) return first;
  return Object.keys(tags)
    .filter((key) => key.startsWith(clusterTagPrefix) && !Object.hasOwn(discoveryTags, key))
    .map((key) => key.slice(clusterTagPrefix.length))
    .filter((name) => name !== 'enabled' && name !== '' && !name.includes('/'))
    .sort()[0];
}
