/** As kubelets and CSI drivers know the in-tree EBS volumes. */
export const ebsPlugin = 'kubernetes.io/aws-ebs';
export const ebsDriver = 'ebs.csi.aws.com';
export const ebsZoneLabel = `topology.${ebsDriver}/zone`;

/**
 * The EBS volume that an in-tree volume id names: `vol-…` itself, `aws://zone/vol-…` or `aws:///vol-…`;
 * `undefined` where it names none (KubernetesVolumeIDToEBSVolumeID of csi-translation-lib 0.37).
 */
export function ebsVolumeId(volumeId: string): string | undefined {
  if (!volumeId.startsWith('aws://')) return volumeId;
  const path = /^aws:\/\/[^/?#]*([^?#]*)/.exec(volumeId)?.[1] ?? '';
  const id = path.replace(/^\/+|\/+$/g, '');
  return /^vol-[^/]*$/.test(id) ? id : undefined;
}
