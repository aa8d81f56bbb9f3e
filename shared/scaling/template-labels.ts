import { setOwn } from '#cluster/own-record.ts';

type Labels = Readonly<Record<string, string>>;

export interface TemplateIdentity {
  /** Stands for the name and host name that a new node will get. */
  readonly name: string;
  readonly architecture: string;
  readonly instanceType: string;
  readonly region: string;
  readonly zone: string;
}

/**
 * Labels of a new node: what kubelet and cloud controller set, in the stable and the beta spelling,
 * the zone as the EBS CSI driver spells it, and then what is declared, the last word winning.
 */
export const templateLabels = (identity: TemplateIdentity, declared: readonly Labels[]): Labels => {
  const { name, architecture, instanceType, region, zone } = identity;
  const labels: Record<string, string> = {
    'kubernetes.io/arch': architecture,
    'kubernetes.io/os': 'linux',
    'kubernetes.io/hostname': name,
    'node.kubernetes.io/instance-type': instanceType,
    'topology.kubernetes.io/region': region,
    'topology.kubernetes.io/zone': zone,
    'topology.ebs.csi.aws.com/zone': zone,
    'beta.kubernetes.io/arch': architecture,
    'beta.kubernetes.io/os': 'linux',
    'beta.kubernetes.io/instance-type': instanceType,
    'failure-domain.beta.kubernetes.io/region': region,
    'failure-domain.beta.kubernetes.io/zone': zone,
  };
  for (const more of declared) {
    for (const [key, value] of Object.entries(more)) setOwn(labels, key, value);
  }
  return labels;
};
