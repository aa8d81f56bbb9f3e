import { type ObjectField, objectAt, quantityAt, textAt, wordAt } from './fields.ts';
import { wholeValue } from './quantity.ts';
import { readLabelSelector } from './read-label-selector.ts';
import { annotationAt, readController, readMetadata, readNamespace } from './read-metadata.ts';
import { accessModesAt, volumeModes } from './storage-fields.ts';
import type { ClaimView } from './storage-views.ts';

/** A PersistentVolumeClaim as `kubectl get -o json` prints it. */
export function readClaim(object: ObjectField): ClaimView {
  const { name, uid, deletedAtMs } = readMetadata(object);
  const spec = objectAt(object, 'spec');
  const requested = quantityAt(objectAt(objectAt(spec, 'resources'), 'requests'), 'storage');
  const volumeName = textAt(spec, 'volumeName');
  const selectedNode = annotationAt(object, 'volume.kubernetes.io/selected-node');
  const storageClass =
    annotationAt(object, 'volume.beta.kubernetes.io/storage-class') ??
    textAt(spec, 'storageClassName');
  const attributesClass = textAt(spec, 'volumeAttributesClassName');
  const selector = readLabelSelector(spec, 'selector');
  const ownerUid = readController(object)?.uid;
  return {
    namespace: readNamespace(object),
    name,
    uid,
    ...(volumeName ? { volumeName } : {}),
    bindCompleted: annotationAt(object, 'pv.kubernetes.io/bind-completed') !== undefined,
    ...(selectedNode ? { selectedNode } : {}),
    ...(storageClass === undefined ? {} : { storageClass }),
    ...(attributesClass ? { attributesClass } : {}),
    accessModes: accessModesAt(spec),
    volumeMode: wordAt(spec, 'volumeMode', volumeModes) ?? 'Filesystem',
    requestedBytes: requested === undefined ? 0 : wholeValue(requested),
    ...(selector === undefined ? {} : { selector }),
    phase: wordAt(objectAt(object, 'status'), 'phase', ['Pending', 'Bound', 'Lost']) ?? 'Pending',
    ...(deletedAtMs === undefined ? {} : { deletedAtMs }),
    ...(ownerUid ? { ownerUid } : {}),
  };
}
