import type { KubeletPolicy } from '#kubelet/policy.ts';
import type { AutoScalingGroup } from './aws-views.ts';
import { matchesGlob } from './glob.ts';
import { startLimitOfOptions } from './group-options.ts';
import { readGroupTags } from './group-tags.ts';
import type { GroupPolicy, Mode, ScalingPolicy } from './policy.ts';

/** What people said of this group: the first entry of `groups` that matches its name. */
export const groupPolicyOf = (policy: ScalingPolicy, group: string): GroupPolicy | undefined =>
  policy.groups.find((candidate) => matchesGlob(candidate.match, group));

/** The cluster's kubelet policy with the group's own settings over it. */
export const kubeletPolicyOf = (policy: ScalingPolicy, group: string): KubeletPolicy => ({
  ...policy.kubelet,
  ...groupPolicyOf(policy, group)?.kubelet,
});

/** Whether the group may be acted on: its own word, else the cluster's. */
export const modeOfGroup = (policy: ScalingPolicy, group: string): Mode =>
  groupPolicyOf(policy, group)?.mode ?? policy.mode;

/** From launch to a usable node, in seconds: what the group's tags say, else the policy of it, else the cluster's. */
export const startLimitOf = (
  policy: ScalingPolicy,
  group: Pick<AutoScalingGroup, 'name' | 'tags'>,
): number =>
  startLimitOfOptions(readGroupTags(group).options) ??
  groupPolicyOf(policy, group.name)?.startLimitSeconds ??
  policy.startLimitSeconds;
