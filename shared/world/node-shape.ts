import { allocatable, type NodeAmounts } from '#kubelet/allocatable.ts';
import { kubeletDefaultMaxPods, maxPodsOf } from '#kubelet/max-pods.ts';
import { instanceTypes } from './instance-types.ts';
import type { WorldGroup } from './spec.ts';

export interface NodeShape extends NodeAmounts {
  readonly architecture: string;
}

/** What the kubelet of a new node will report. Throws on a type that this world does not know. */
export const nodeShape = (
  instanceType: string,
  group: Pick<WorldGroup, 'kubelet' | 'rootVolumeGiB'>,
  runsVpcCni: boolean,
): NodeShape => {
  const machine = instanceTypes.get(instanceType);
  if (machine === undefined) throw new Error(`unknown instance type ${instanceType}`);
  const { kubelet: policy, rootVolumeGiB } = group;
  const maxPods = maxPodsOf(policy.maxPods, machine, runsVpcCni) ?? kubeletDefaultMaxPods;
  return {
    ...allocatable({ machine, rootVolumeGiB, maxPods, policy }),
    architecture: machine.architecture,
  };
};
