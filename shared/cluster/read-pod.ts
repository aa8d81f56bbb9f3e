import {
  hasElements,
  numberAt,
  type ObjectField,
  objectAt,
  objectsAt,
  textAt,
  timeAt,
  wordAt,
} from './fields.ts';
import { readController, readMetadata, readNamespace } from './read-metadata.ts';
import { readPodSpec } from './read-pod-spec.ts';
import { sharedPart } from './shared-part.ts';
import type { PodView } from './snapshot.ts';

const phases = ['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown'] as const;
const conditionStatuses = ['True', 'False', 'Unknown'] as const;

function readScheduled(conditions: readonly ObjectField[]): PodView['scheduled'] {
  const condition = conditions.find((one) => textAt(one, 'type') === 'PodScheduled');
  const status = condition && wordAt(condition, 'status', conditionStatuses);
  if (!condition || !status) return undefined;
  const reason = textAt(condition, 'reason');
  const sinceMs = timeAt(condition, 'lastTransitionTime');
  return {
    status,
    ...(reason ? { reason } : {}),
    ...(sinceMs === undefined ? {} : { sinceMs }),
  };
}

/** A Pod as `kubectl get -o json` prints it. Faults go to the field's context. */
export function readPod(object: ObjectField): PodView {
  const { memory } = object.context;
  const metadata = readMetadata(object);
  const namespace = readNamespace(object);
  const { name } = metadata;
  const labels = sharedPart(memory, metadata.labels);
  const spec = objectAt(object, 'spec');
  const status = objectAt(object, 'status');
  const conditions = objectsAt(status, 'conditions');
  const nodeName = textAt(spec, 'nodeName');
  const nominatedNodeName = textAt(status, 'nominatedNodeName');
  const owner = readController(object);
  const priority = numberAt(spec, 'priority');
  const scheduled = readScheduled(conditions);
  return {
    namespace,
    ...metadata,
    labels,
    annotations: sharedPart(memory, metadata.annotations),
    ...(owner ? { owner: sharedPart(memory, owner) } : {}),
    ...(nodeName ? { nodeName } : {}),
    ...(nominatedNodeName ? { nominatedNodeName } : {}),
    schedulerName: textAt(spec, 'schedulerName') || 'default-scheduler',
    ...(priority === undefined ? {} : { priority }),
    ...(textAt(spec, 'preemptionPolicy') === 'Never' ? { neverPreempts: true } : {}),
    phase: wordAt(status, 'phase', phases) ?? 'Pending',
    ...(scheduled ? { scheduled } : {}),
    gated: hasElements(spec, 'schedulingGates'),
    ...readPodSpec(spec, { namespace, name, labels, ...(nodeName ? { status } : {}) }),
  };
}
