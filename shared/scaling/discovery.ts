import { getOwn } from '#cluster/own-record.ts';
import type { AutoScalingGroup } from './aws-views.ts';

/** The two tags by which Cluster Autoscaler finds the groups of a cluster. */
export const defaultDiscoveryTags = (cluster: string): Readonly<Record<string, string>> => ({
  'k8s.io/cluster-autoscaler/enabled': '',
  [`k8s.io/cluster-autoscaler/${cluster}`]: '',
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
