import type { PodVolume } from './constraints.ts';
import {
  booleanAt,
  hasField,
  type ObjectField,
  objectAt,
  objectsAt,
  textAt,
  textsAt,
} from './fields.ts';

type DiskPlugin = Extract<PodVolume, { readonly kind: 'disk' }>['plugin'];

/** Which field of an in-tree volume source names the disk. */
const diskSources: readonly {
  readonly source: string;
  readonly plugin: DiskPlugin;
  readonly name: string;
}[] = [
  { source: 'awsElasticBlockStore', plugin: 'ebs', name: 'volumeID' },
  { source: 'gcePersistentDisk', plugin: 'gce', name: 'pdName' },
  { source: 'iscsi', plugin: 'iscsi', name: 'iqn' },
  { source: 'azureDisk', plugin: 'azure', name: 'diskURI' },
  { source: 'cinder', plugin: 'cinder', name: 'volumeID' },
  { source: 'portworxVolume', plugin: 'portworx', name: 'volumeID' },
];

/** One for each monitor: volumes with the same pool and image are one where they share any monitor. */
function rbdImages(source: ObjectField): readonly PodVolume[] {
  const pool = textAt(source, 'pool') || 'rbd';
  const image = textAt(source, 'image') ?? '';
  const readOnly = booleanAt(source, 'readOnly');
  return textsAt(source, 'monitors').map((monitor) => ({
    kind: 'disk',
    plugin: 'rbd',
    handle: `${monitor}/${pool}/${image}`,
    readOnly,
  }));
}

function readVolume(volume: ObjectField, pod: string | undefined): readonly PodVolume[] {
  if (hasField(volume, 'persistentVolumeClaim')) {
    const claim = textAt(objectAt(volume, 'persistentVolumeClaim'), 'claimName') ?? '';
    return [{ kind: 'claim', claim, ephemeral: false }];
  }
  if (hasField(volume, 'ephemeral')) {
    if (pod === undefined) return [];
    return [{ kind: 'claim', claim: `${pod}-${textAt(volume, 'name') ?? ''}`, ephemeral: true }];
  }
  if (hasField(volume, 'rbd')) return rbdImages(objectAt(volume, 'rbd'));
  for (const { source, plugin, name } of diskSources) {
    if (!hasField(volume, source)) continue;
    const fields = objectAt(volume, source);
    const readOnly = booleanAt(fields, 'readOnly');
    return [{ kind: 'disk', plugin, handle: textAt(fields, name) ?? '', readOnly }];
  }
  return [];
}

/**
 * The volumes of a pod that filters look at: claims, claims made for the pod alone (`<pod>-<volume>`,
 * VolumeClaimName in component-helpers), and in-tree disks (VolumeRestrictions and NodeVolumeLimits of
 * kube-scheduler 1.37). `pod` is its name; of a template, whose pods have none yet, the claims that will be
 * made for them are left out.
 */
export const readPodVolumes = (spec: ObjectField, pod: string | undefined): readonly PodVolume[] =>
  objectsAt(spec, 'volumes').flatMap((volume) => readVolume(volume, pod));
