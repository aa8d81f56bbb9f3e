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
  };
};

const withoutNames = (groups: readonly AutoScalingGroup[]): ChosenGroups => {
  const marked = groups.filter(({ tags }) => Object.hasOwn(tags, enabled));
  const chosen = marked.length > 0 ? marked : groups;
  const clusters = clustersNamed(chosen);
  return {
    cluster: clusters.length === 1 ? (clusters[0] ?? 'snapshot') : 'snapshot',
    policy: defaultScalingPolicy,
    groups: chosen,
    notes: [
      ...(marked.length === 0 && groups.length > 0
        ? [`no group carries the tag ${enabled}: all ${groups.length} groups are used`]
        : []),
      ...(clusters.length > 1
        ? [`groups of several clusters are used (${clusters.join(', ')}): name one with --cluster`]
        : []),
    ],
  };
};

/**
 * The groups that a plan may raise. With a configuration: those of the cluster named, or of its only
 * one, by discovery tags. Without: those of the cluster named by Cluster Autoscaler's two tags; without
 * a name all that carry the first of them, or, where none does, all.
 */
export const chooseGroups = (
  groups: readonly AutoScalingGroup[],
  configured: readonly PlannedCluster[],
  name: string | undefined,
): ChosenGroups | { readonly refused: string } => {
  if (configured.length === 0) {
    if (name === undefined) return withoutNames(groups);
    const discoveryTags = defaultDiscoveryTags(name);
    return byTags({ name, discoveryTags, policy: defaultScalingPolicy }, groups);
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
