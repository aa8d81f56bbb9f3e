import {
  booleanAt,
  hasElements,
  numberAt,
  type ObjectField,
  objectAt,
  objectsAt,
  quantitiesAt,
  textAt,
  timeAt,
  wordAt,
} from './fields.ts';
import { resizedRequests } from './pod-requests.ts';
import { readMetadata, readNamespace } from './read-metadata.ts';
import { type AdjustRequests, readPodSpec } from './read-pod-spec.ts';
import type { OwnerView, PodView } from './snapshot.ts';

const phases = ['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown'] as const;
const conditionStatuses = ['True', 'False', 'Unknown'] as const;

function readOwner(object: ObjectField): OwnerView | undefined {
  const references = objectsAt(objectAt(object, 'metadata'), 'ownerReferences');
  const owner = references.find((reference) => booleanAt(reference, 'controller'));
  return (
    owner && {
      kind: textAt(owner, 'kind') ?? '',
      name: textAt(owner, 'name') ?? '',
      uid: textAt(owner, 'uid') ?? '',
    }
  );
}

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

/** The in-place-resize rule for a pod that is on a node: what its containers' statuses add. */
function adjustByStatus(status: ObjectField, conditions: readonly ObjectField[]): AdjustRequests {
  const statuses = new Map<string, ObjectField>();
  for (const key of ['initContainerStatuses', 'containerStatuses']) {
    for (const one of objectsAt(status, key)) {
      if (one.fields.resources || one.fields.allocatedResources) {
        statuses.set(textAt(one, 'name') ?? '', one);
      }
    }
  }
  const resize = conditions.find((one) => textAt(one, 'type') === 'PodResizePending');
  const infeasible = resize !== undefined && textAt(resize, 'reason') === 'Infeasible';
  return (container, spec) => {
    const found = statuses.get(textAt(container, 'name') ?? '');
    if (!found) return spec;
    const allocated = quantitiesAt(found, 'allocatedResources');
    const running = quantitiesAt(objectAt(found, 'resources'), 'requests');
    return resizedRequests(spec, { allocated, running }, infeasible);
  };
}

/** A Pod as `kubectl get -o json` prints it. Faults go to the field's context. */
export function readPod(object: ObjectField): PodView {
  const metadata = readMetadata(object);
  const spec = objectAt(object, 'spec');
  const status = objectAt(object, 'status');
  const conditions = objectsAt(status, 'conditions');
  const nodeName = textAt(spec, 'nodeName');
  const nominatedNodeName = textAt(status, 'nominatedNodeName');
  const owner = readOwner(object);
  const priority = numberAt(spec, 'priority');
  const scheduled = readScheduled(conditions);
  return {
    namespace: readNamespace(object),
    ...metadata,
    ...(owner ? { owner } : {}),
    ...(nodeName ? { nodeName } : {}),
    ...(nominatedNodeName ? { nominatedNodeName } : {}),
    schedulerName: textAt(spec, 'schedulerName') || 'default-scheduler',
    ...(priority === undefined ? {} : { priority }),
    phase: wordAt(status, 'phase', phases) ?? 'Pending',
    ...(scheduled ? { scheduled } : {}),
    gated: hasElements(spec, 'schedulingGates'),
    ...readPodSpec(spec, nodeName ? adjustByStatus(status, conditions) : undefined),
  };
}
