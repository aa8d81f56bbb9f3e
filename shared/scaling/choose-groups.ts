import type { AutoScalingGroup } from './aws-views.ts';
import {
  belongsToCluster,
  defaultDiscoveryTags,
  enabledTag as enabled,
  clusterTagPrefix as prefix,
} from './discovery.ts';
import { defaultScalingPolicy, type ScalingPolicy } from './policy.ts';

/** What a configuration says of one cluster, as far as a plan needs it. */
export interface PlannedCluster {
  readonly name: string;
  readonly discoveryTags: Readonly<Record<string, string>>;
  readonly policy: ScalingPolicy;
}

export interface ChosenGroups {
  readonly cluster: string;
  readonly policy: ScalingPolicy;
  readonly groups: readonly AutoScalingGroup[];
  /** How they were chosen, where people could wonder. */
  readonly notes: readonly string[];
  /** What deployed would be otherwise: people must see it beside the plan. */
  readonly caveats: readonly string[];
}

/** The clusters that the discovery tags of groups name. */
const clustersNamed = (groups: readonly AutoScalingGroup[]): readonly string[] => {
  const names = groups.flatMap(({ tags }) =>
    Object.keys(tags)
      .filter((key) => key.startsWith(prefix) && key !== enabled)
      .map((key) => key.slice(prefix.length))
      .filter((name) => !name.includes('/')),
  );
  return [...new Set(names)].sort();
};

const byTags = (cluster: PlannedCluster, groups: readonly AutoScalingGroup[]): ChosenGroups => {
  const chosen = groups.filter((group) => belongsToCluster(group, cluster.discoveryTags));
  const tags = Object.entries(cluster.discoveryTags)
    .map(([key, value]) => (value === '' ? key : `${key}=${value}`))
    .join(', ');
  const none = groups.length > 0 && chosen.length === 0;
  return {
    cluster: cluster.name,
    policy: cluster.policy,
    groups: chosen,
    notes: none ? [`none of the ${groups.length} groups carries the tags ${tags}`] : [],
    caveats: [],
  };
};

/** By Cluster Autoscaler's two tags. A name that no group has, while others have one, is a mistake. */
const byName = (
  name: string,
  groups: readonly AutoScalingGroup[],
): ChosenGroups | { readonly refused: string } => {
  const clusters = clustersNamed(groups);
  if (clusters.length > 0 && !clusters.includes(name)) {
    return { refused: `--cluster ${name} has no group: the groups are of ${clusters.join(', ')}` };
  }
  const discoveryTags = defaultDiscoveryTags(name);
  return byTags({ name, discoveryTags, policy: defaultScalingPolicy }, groups);
};

const withoutNames = (
  groups: readonly AutoScalingGroup[],
): ChosenGroups | { readonly refused: string } => {
  const marked = groups.filter(({ tags }) => Object.hasOwn(tags, enabled));
  const chosen = marked.length > 0 ? marked : groups;
  const [cluster = 'snapshot', ...others] = clustersNamed(chosen);
  if (others.length > 0) {
    const clusters = [cluster, ...others].join(', ');
    return {
      refused: `groups of several clusters (${clusters}): name one with --cluster ${cluster}`,
    };
  }
  const unmarked = marked.length === 0 && groups.length > 0;
  return {
    cluster,
    policy: defaultScalingPolicy,
    groups: chosen,
    notes: unmarked
      ? [`no group carries the tag ${enabled}: all ${groups.length} groups are used`]
      : [],
    caveats: unmarked
      ? [
          `Deployed, none of these groups would be found: add the tag ${enabled}, and ${prefix}<cluster>`,
        ]
      : [],
  };
};

/**
 * The groups that a plan may raise. With a configuration: those of the cluster named, or of its only
 * one, by discovery tags. Without: those of the cluster named by Cluster Autoscaler's two tags; without
 * a name all that carry the first of them, or, where none does, all. Groups of several clusters are
 * never planned together: pods of one would be put on nodes of another.
 */
export const chooseGroups = (
  groups: readonly AutoScalingGroup[],
  configured: readonly PlannedCluster[],
  name: string | undefined,
): ChosenGroups | { readonly refused: string } => {
  if (configured.length === 0) {
    return name === undefined ? withoutNames(groups) : byName(name, groups);
  }
  const known = configured.map((cluster) => cluster.name).join(', ');
  if (name === undefined && configured.length > 1) {
    return {
      refused: `the configuration names several clusters: add --cluster with one of ${known}`,
    };
  }
  const cluster =
    name === undefined ? configured[0] : configured.find((candidate) => candidate.name === name);
  if (cluster === undefined) {
    return { refused: `--cluster ${name} is not in the configuration: use one of ${known}` };
  }
  return byTags(cluster, groups);
};
