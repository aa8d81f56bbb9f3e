import type { KubeletPolicy } from '#kubelet/policy.ts';
import { matchesGlob } from './glob.ts';
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
