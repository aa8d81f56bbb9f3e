import type { PodVolume } from '#cluster/constraints.ts';
import { ebsDriver, ebsPlugin, ebsVolumeId } from '#cluster/ebs-volume-id.ts';
import type { ClaimView } from '#cluster/storage-views.ts';
import type { StatePod } from '../state/scheduling-state.ts';
import type { StorageIndex } from './storage-index.ts';

/** A volume that takes one of the places that a driver has on a node. */
export interface AttachedVolume {
  readonly driver: string;
  /** With the driver, it names the volume. */
  readonly handle: string;
}

type Disk = Extract<PodVolume, { readonly kind: 'disk' }>;

/** The CSI drivers to which in-tree plugins went (csi-translation-lib 0.37), as far as limits count them. */
const driverOfPlugin: Readonly<Record<string, string>> = {
  [ebsPlugin]: ebsDriver,
  'kubernetes.io/gce-pd': 'pd.csi.storage.gke.io',
  'kubernetes.io/azure-disk': 'disk.csi.azure.com',
  'kubernetes.io/cinder': 'cinder.csi.openstack.org',
  'kubernetes.io/portworx-volume': 'pxd.portworx.com',
};

const pluginOfDisk: Readonly<Partial<Record<Disk['plugin'], string>>> = {
  ebs: ebsPlugin,
  gce: 'kubernetes.io/gce-pd',
  azure: 'kubernetes.io/azure-disk',
  cinder: 'kubernetes.io/cinder',
  portworx: 'kubernetes.io/portworx-volume',
};

/** In-tree plugins that have a CSI driver but are counted by no limit. */
const uncounted: readonly string[] = ['kubernetes.io/vsphere-volume', 'kubernetes.io/azure-file'];

function ofDisk({ plugin, handle }: Disk): AttachedVolume | undefined {
  const driver = driverOfPlugin[pluginOfDisk[plugin] ?? ''];
  const known = plugin === 'ebs' ? ebsVolumeId(handle) : handle;
  return driver === undefined || known === undefined ? undefined : { driver, handle: known };
}

/** An unbound claim counts for the driver that will make its volume. */
function ofProvisioner(
  claim: ClaimView,
  storage: StorageIndex,
  hasCsiNode: boolean,
): AttachedVolume | undefined {
  const provisioner = storage.storageClass(claim.storageClass ?? '')?.provisioner;
  if (provisioner === undefined || uncounted.includes(provisioner)) return undefined;
  // No volume handle has a space in it.
  const handle = `claim ${claim.namespace}/${claim.name}`;
  const driver = driverOfPlugin[provisioner];
  if (driver === undefined) return { driver: provisioner, handle };
  return hasCsiNode ? { driver, handle } : undefined;
}

function ofClaim(
  claim: ClaimView,
  storage: StorageIndex,
  hasCsiNode: boolean,
): AttachedVolume | undefined {
  const volume = storage.volume(claim.volumeName ?? '');
  if (volume === undefined) return ofProvisioner(claim, storage, hasCsiNode);
  const { csi, migrates } = volume;
  if (csi === undefined || csi.driver === '' || csi.handle === '') return undefined;
  return migrates === undefined || hasCsiNode ? csi : undefined;
}

/**
 * The volumes of a pod that count against the limits of a node's CSI drivers (NodeVolumeLimits of
 * kube-scheduler 1.37): in-tree ones only where the node has a CSINode. Each is there once.
 */
export function attachedVolumes(
  pod: StatePod,
  storage: StorageIndex,
  hasCsiNode: boolean,
): readonly AttachedVolume[] {
  const found = new Map<string, AttachedVolume>();
  for (const volume of pod.volumes ?? []) {
    let attached: AttachedVolume | undefined;
    if (volume.kind === 'disk') attached = hasCsiNode ? ofDisk(volume) : undefined;
    else {
      const claim = storage.claim(pod.namespace, volume.claim);
      const isOurs = !volume.ephemeral || claim?.ownerUid === pod.uid;
      if (claim !== undefined && isOurs) attached = ofClaim(claim, storage, hasCsiNode);
    }
    if (attached !== undefined) found.set(`${attached.driver}/${attached.handle}`, attached);
  }
  return [...found.values()];
}
