import {
  booleanAt,
  hasField,
  numberAt,
  type ObjectField,
  objectAt,
  objectsAt,
  quantityAt,
  textAt,
  textsAt,
} from './fields.ts';
import { wholeValue } from './quantity.ts';
import { readLabelSelector } from './read-label-selector.ts';
import { annotationAt, readMetadata, readNamespace } from './read-metadata.ts';
import type { CsiCapacityView, CsiDriverView, CsiNodeView } from './storage-views.ts';

function readNodeDriver(driver: ObjectField): CsiNodeView['drivers'][number] {
  const limit = numberAt(objectAt(driver, 'allocatable'), 'count');
  return {
    name: textAt(driver, 'name') ?? '',
    nodeId: textAt(driver, 'nodeID') ?? '',
    topologyKeys: textsAt(driver, 'topologyKeys'),
    ...(limit === undefined ? {} : { limit }),
  };
}

/** A storage.k8s.io/v1 CSINode as `kubectl get -o json` prints it. */
export function readCsiNode(object: ObjectField): CsiNodeView {
  const { name } = readMetadata(object);
  const migrated = annotationAt(object, 'storage.alpha.kubernetes.io/migrated-plugins');
  return {
    name,
    drivers: objectsAt(objectAt(object, 'spec'), 'drivers').map(readNodeDriver),
    migrated: migrated ? migrated.split(',') : [],
  };
}

/** A storage.k8s.io/v1 CSIDriver as `kubectl get -o json` prints it. */
export function readCsiDriver(object: ObjectField): CsiDriverView {
  const { name } = readMetadata(object);
  const spec = objectAt(object, 'spec');
  return {
    name,
    tracksCapacity: booleanAt(spec, 'storageCapacity'),
    attachRequired: !hasField(spec, 'attachRequired') || booleanAt(spec, 'attachRequired'),
    ...(booleanAt(spec, 'preventPodSchedulingIfMissing') && { neededOnNode: true }),
  };
}

/** A storage.k8s.io/v1 CSIStorageCapacity as `kubectl get -o json` prints it. */
export function readCsiCapacity(object: ObjectField): CsiCapacityView {
  const { name } = readMetadata(object);
  const nodeTopology = readLabelSelector(object, 'nodeTopology');
  const capacity = quantityAt(object, 'capacity');
  const maximum = quantityAt(object, 'maximumVolumeSize');
  return {
    namespace: readNamespace(object),
    name,
    storageClass: textAt(object, 'storageClassName') ?? '',
    ...(nodeTopology === undefined ? {} : { nodeTopology }),
    ...(capacity === undefined ? {} : { capacityBytes: wholeValue(capacity) }),
    ...(maximum === undefined ? {} : { maximumVolumeBytes: wholeValue(maximum) }),
  };
}
