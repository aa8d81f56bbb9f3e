import { migratedAffinity } from './ebs-migration.ts';
import { ebsDriver, ebsPlugin, ebsVolumeId } from './ebs-volume-id.ts';
import {
  addFault,
  hasField,
  type ObjectField,
  objectAt,
  quantityAt,
  shown,
  textAt,
  wordAt,
} from './fields.ts';
import { wholeValue } from './quantity.ts';
import { annotationAt, readMetadata } from './read-metadata.ts';
import { readNodeSelectorTerms } from './read-node-selector.ts';
import { accessModesAt, volumeModes } from './storage-fields.ts';
import type { VolumeView } from './storage-views.ts';

const phases = ['Available', 'Bound', 'Released', 'Failed', 'Pending'] as const;

function readClaimRef(spec: ObjectField): Pick<VolumeView, 'claim'> {
  if (!hasField(spec, 'claimRef')) return {};
  const reference = objectAt(spec, 'claimRef');
  const uid = textAt(reference, 'uid');
  return {
    claim: {
      namespace: textAt(reference, 'namespace') || 'default',
      name: textAt(reference, 'name') ?? '',
      ...(uid ? { uid } : {}),
    },
  };
}

type Source = Pick<VolumeView, 'csi' | 'migrates'>;

function readEbs(spec: ObjectField, nodeAffinity: Source['migrates']): Source {
  const source = objectAt(spec, 'awsElasticBlockStore');
  const volumeId = textAt(source, 'volumeID') ?? '';
  const handle = ebsVolumeId(volumeId);
  if (handle === undefined) {
    const message = `${shown(volumeId)} names no EBS volume; write vol-0123 or aws://us-east-1a/vol-0123`;
    addFault(source, 'volumeID', { code: 'valueUnfit', message });
    return {};
  }
  return { csi: { driver: ebsDriver, handle }, ...(nodeAffinity && { migrates: nodeAffinity }) };
}

function readSource(spec: ObjectField, view: Pick<VolumeView, 'labels' | 'nodeAffinity'>): Source {
  if (hasField(spec, 'csi')) {
    const csi = objectAt(spec, 'csi');
    return {
      csi: { driver: textAt(csi, 'driver') ?? '', handle: textAt(csi, 'volumeHandle') ?? '' },
    };
  }
  if (!hasField(spec, 'awsElasticBlockStore')) return {};
  const nodeAffinity = migratedAffinity(view.nodeAffinity, view.labels);
  return readEbs(spec, { plugin: ebsPlugin, ...(nodeAffinity && { nodeAffinity }) });
}

/**
 * A PersistentVolume as `kubectl get -o json` prints it. In-tree EBS volumes are known by their CSI driver too,
 * to which they were migrated for good; those of other clouds have none here, so that no
 * attach limit counts them.
 */
export function readVolume(object: ObjectField): VolumeView {
  const { name, uid, labels, deletedAtMs } = readMetadata(object);
  const spec = objectAt(object, 'spec');
  const capacity = quantityAt(objectAt(spec, 'capacity'), 'storage');
  const nodeAffinity = readNodeSelectorTerms(objectAt(spec, 'nodeAffinity'), 'required');
  const affinity = nodeAffinity === undefined ? {} : { nodeAffinity };
  const attributesClass = textAt(spec, 'volumeAttributesClassName');
  return {
    name,
    uid,
    labels,
    capacityBytes: capacity === undefined ? 0 : wholeValue(capacity),
    accessModes: accessModesAt(spec),
    volumeMode: wordAt(spec, 'volumeMode', volumeModes) ?? 'Filesystem',
    storageClass:
      annotationAt(object, 'volume.beta.kubernetes.io/storage-class') ??
      textAt(spec, 'storageClassName') ??
      '',
    ...(attributesClass ? { attributesClass } : {}),
    ...readClaimRef(spec),
    ...affinity,
    ...readSource(spec, { labels, ...affinity }),
    phase: wordAt(objectAt(object, 'status'), 'phase', phases) ?? 'Pending',
    ...(deletedAtMs === undefined ? {} : { deletedAtMs }),
  };
}
