import { getOwn } from '#cluster/own-record.ts';
import type { AutoScalingGroup } from './aws-views.ts';

/** What Cluster Autoscaler's discovery tags begin with. */
export const clusterTagPrefix = 'k8s.io/cluster-autoscaler/';

/** On every group that Cluster Autoscaler may look after. */
export const enabledTag = `${clusterTagPrefix}enabled`;

/** The two tags by which Cluster Autoscaler finds the groups of a cluster. */
export const defaultDiscoveryTags = (cluster: string): Readonly<Record<string, string>> => ({
  [enabledTag]: '',
  [`${clusterTagPrefix}${cluster}`]: '',
});

/**
 * Whether a group is one of the cluster's: it carries every wanted tag. An empty wanted value accepts
 * any value, as with Cluster Autoscaler's `--node-group-auto-discovery=asg:tag=…`.
 */
export const belongsToCluster = (
  group: Pick<AutoScalingGroup, 'tags'>,
  wanted: Readonly<Record<string, string>>,
): boolean => {
  const entries = Object.entries(wanted);
  return (
    entries.length > 0 &&
    entries.every(([key, value]) => {
      const found = getOwn(group.tags, key);
      return found !== undefined && (value === '' || found === value);
    })
  );
};
