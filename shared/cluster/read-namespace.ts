import type { Toleration } from './constraints.ts';
import type { ObjectField } from './fields.ts';
import { isJsonObject } from './json.ts';
import { annotationAt, readMetadata } from './read-metadata.ts';
import { readToleration } from './read-pod-spec.ts';
import type { NamespaceView } from './snapshot.ts';

/** Of the admission plugin PodTolerationRestriction. */
export const tolerationsWhitelist = 'scheduler.alpha.kubernetes.io/tolerationsWhitelist';

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The list in the annotation; one that is none is left out, as is what is no toleration. */
function readWhitelist(object: ObjectField): readonly Toleration[] | undefined {
  const list = parsed(annotationAt(object, tolerationsWhitelist) ?? '');
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const { memory } = object.context;
  return list.filter(isJsonObject).flatMap((fields) => {
    const field: ObjectField = { fields, path: object.path, context: { faults: [], memory } };
    const toleration = readToleration(field);
    return field.context.faults.length === 0 ? [toleration] : [];
  });
}

/** A Namespace as `kubectl get -o json` prints it. */
export function readNamespaceObject(object: ObjectField): NamespaceView {
  const { name, labels } = readMetadata(object);
  const whitelist = readWhitelist(object);
  return { name, labels, ...(whitelist === undefined ? {} : { tolerationsWhitelist: whitelist }) };
}
