import type { MachineFacts } from './machine.ts';
import type { KubeletPolicy } from './policy.ts';

/** The kubelet's own default of `maxPods`. */
export const kubeletDefaultMaxPods = 110;

/**
 * How many pods a node of this machine takes. `eni` is the VPC CNI's rule, interfaces times (addresses
 * less the interface's own) plus two pods on the host network, as nodeadm's `eni_max_pods.go` has it;
 * `auto` follows it where the cluster runs the VPC CNI. `undefined` where the rule asks for network
 * limits that are not known: guessing high would launch nodes that refuse their pods.
 *
 * Prefix delegation and custom networking change the limit: give a number for such groups.
 */
export const maxPodsOf = (
  setting: KubeletPolicy['maxPods'],
  machine: MachineFacts,
  clusterRunsVpcCni: boolean,
): number | undefined => {
  if (typeof setting === 'number') return setting;
  if (setting === 'auto' && !clusterRunsVpcCni) return kubeletDefaultMaxPods;
  if (machine.maxNetworkInterfaces < 1 || machine.ipv4PerInterface < 1) return undefined;
  return machine.maxNetworkInterfaces * (machine.ipv4PerInterface - 1) + 2;
};

/** The VPC CNI runs where its DaemonSet does: `kube-system/aws-node`. */
export const runsVpcCni = (
  daemonSets: readonly { readonly namespace: string; readonly name: string }[],
): boolean => daemonSets.some((set) => set.namespace === 'kube-system' && set.name === 'aws-node');
