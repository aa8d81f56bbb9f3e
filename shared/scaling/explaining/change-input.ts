import { type PodView, podKey } from '#cluster/snapshot.ts';
import type { AutoScalingGroup } from '../aws-views.ts';
import type { ScaleUpInput } from '../decision.ts';
import { type YamlValue, yamlOf } from './yaml.ts';

const isLike = (pod: PodView, other: PodView): boolean =>
  podKey(pod) === podKey(other) ||
  (pod.owner !== undefined &&
    pod.owner.uid !== '' &&
    pod.owner.uid === other.owner?.uid &&
    pod.namespace === other.namespace &&
    other.nodeName === undefined);

/** The input with the pod changed, and with it its like that wait: they come from one template. */
export const changePods = (
  input: ScaleUpInput,
  pod: PodView,
  change: (one: PodView) => PodView,
): ScaleUpInput => ({
  ...input,
  snapshot: {
    ...input.snapshot,
    pods: input.snapshot.pods.map((one) => (isLike(pod, one) ? change(one) : one)),
  },
});

export const changeGroup = (
  input: ScaleUpInput,
  name: string,
  change: (group: AutoScalingGroup) => readonly AutoScalingGroup[],
): ScaleUpInput => ({
  ...input,
  nodeGroups: {
    ...input.nodeGroups,
    groups: input.nodeGroups.groups.flatMap((group) =>
      group.name === name ? change(group) : [group],
    ),
  },
});

/** The input with some of its snapshot's lists replaced. */
export const changeSnapshot = (
  input: ScaleUpInput,
  lists: Partial<ScaleUpInput['snapshot']>,
): ScaleUpInput => ({ ...input, snapshot: { ...input.snapshot, ...lists } });

/** Kinds whose pods come from `spec.template`; a ReplicaSet's is its Deployment's. */
const templated: ReadonlySet<string> = new Set([
  'ReplicaSet',
  'StatefulSet',
  'Job',
  'DaemonSet',
  'ReplicationController',
]);

const nameOfOwner = ({ owner, labels }: PodView): string => {
  if (owner?.kind !== 'ReplicaSet') return `${owner?.kind} ${owner?.name}`;
  const hash = labels['pod-template-hash'];
  const isDeployments = hash !== undefined && owner.name.endsWith(`-${hash}`);
  return isDeployments
    ? `Deployment ${owner.name.slice(0, -hash.length - 1)}`
    : `ReplicaSet ${owner.name}, or the Deployment that it is of`;
};

/** Fields of a pod's spec as a patch of what the pod is made from. */
export const podPatch = (pod: PodView, spec: { readonly [key: string]: YamlValue }): string => {
  const { owner } = pod;
  return owner !== undefined && templated.has(owner.kind)
    ? `# ${nameOfOwner(pod)}\n${yamlOf({ spec: { template: { spec } } })}`
    : `# Pod ${pod.name}\n${yamlOf({ spec })}`;
};

/** Properties of an Auto Scaling group as a patch. */
export const groupPatch = (
  name: string,
  properties: { readonly [key: string]: YamlValue },
): string => `# Auto Scaling group ${name}\n${yamlOf(properties)}`;
