import type { Taint } from './constraints.ts';
import {
  addFault,
  booleanAt,
  hasField,
  type ObjectField,
  objectAt,
  objectsAt,
  quantitiesAt,
  textAt,
  textsAt,
  wordAt,
} from './fields.ts';
import { toResources } from './pod-requests.ts';
import { readMetadata } from './read-metadata.ts';
import { taintEffects } from './read-pod-spec.ts';
import { sharedPart } from './shared-part.ts';
import type { NodeView } from './snapshot.ts';

const conditionStatuses = ['True', 'False', 'Unknown'] as const;

function readTaint(field: ObjectField): Taint | undefined {
  const effect = wordAt(field, 'effect', taintEffects);
  if (effect === undefined) {
    if (!textAt(field, 'effect')) {
      const message = `the taint has no effect; write one of ${taintEffects.join(', ')}`;
      addFault(field, 'effect', { code: 'valueMissing', message });
    }
    return undefined;
  }
  return { key: textAt(field, 'key') ?? '', value: textAt(field, 'value') ?? '', effect };
}

function readReady(status: ObjectField): NodeView['ready'] {
  const ready = objectsAt(status, 'conditions').find((one) => textAt(one, 'type') === 'Ready');
  return (ready && wordAt(ready, 'status', conditionStatuses)) ?? 'Unknown';
}

function addressOf(status: ObjectField, type: string): string | undefined {
  const found = objectsAt(status, 'addresses').find((one) => textAt(one, 'type') === type);
  return found && textAt(found, 'address');
}

/** A Node as `kubectl get -o json` prints it. Faults go to the field's context. */
export function readNode(object: ObjectField): NodeView {
  const { name, uid, labels, annotations, createdAtMs } = readMetadata(object);
  const spec = objectAt(object, 'spec');
  const status = objectAt(object, 'status');
  const providerId = textAt(spec, 'providerID');
  const internalIp = addressOf(status, 'InternalIP');
  const internalDns = addressOf(status, 'InternalDNS');
  const declaredFeatures = sharedPart(object.context.memory, textsAt(status, 'declaredFeatures'));
  const capacity = toResources(quantitiesAt(status, 'capacity'));
  return {
    name,
    uid,
    labels,
    annotations,
    ...(providerId ? { providerId } : {}),
    ...(internalIp ? { internalIp } : {}),
    ...(internalDns ? { internalDns } : {}),
    ...(createdAtMs === undefined ? {} : { createdAtMs }),
    unschedulable: booleanAt(spec, 'unschedulable'),
    taints: objectsAt(spec, 'taints')
      .map(readTaint)
      .filter((taint) => taint !== undefined),
    capacity,
    // The API server's own default where the kubelet has not said yet.
    allocatable: hasField(status, 'allocatable')
      ? toResources(quantitiesAt(status, 'allocatable'))
      : capacity,
    ready: readReady(status),
    ...(declaredFeatures.length === 0 ? {} : { declaredFeatures }),
  };
}
