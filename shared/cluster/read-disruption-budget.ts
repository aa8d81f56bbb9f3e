import { numberAt, type ObjectField, objectAt } from './fields.ts';
import { readLabelSelector } from './read-label-selector.ts';
import { readMetadata, readNamespace } from './read-metadata.ts';
import type { DisruptionBudgetView } from './snapshot.ts';

/** A policy/v1 PodDisruptionBudget as `kubectl get -o json` prints it; one without a status allows none. */
export function readDisruptionBudget(object: ObjectField): DisruptionBudgetView {
  const { name } = readMetadata(object);
  const status = objectAt(object, 'status');
  const selector = readLabelSelector(objectAt(object, 'spec'), 'selector');
  return {
    namespace: readNamespace(object),
    name,
    ...(selector === undefined ? {} : { selector }),
    disruptionsAllowed: numberAt(status, 'disruptionsAllowed') ?? 0,
    expectedPods: numberAt(status, 'expectedPods') ?? 0,
  };
}
