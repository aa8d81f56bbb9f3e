import { hasField, type ObjectField, objectsAt, textAt, textsAt, wordAt } from './fields.ts';
import { annotationAt, readMetadata } from './read-metadata.ts';
import type { StorageClassView, TopologyValues } from './storage-views.ts';

const bindingModes = ['Immediate', 'WaitForFirstConsumer'] as const;

const defaultMarks = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

const readTerm = (term: ObjectField): readonly TopologyValues[] =>
  objectsAt(term, 'matchLabelExpressions').map((expression) => ({
    key: textAt(expression, 'key') ?? '',
    values: textsAt(expression, 'values'),
  }));

/** A storage.k8s.io/v1 StorageClass as `kubectl get -o json` prints it; its parameters are not read. */
export function readStorageClass(object: ObjectField): StorageClassView {
  const { name } = readMetadata(object);
  return {
    name,
    provisioner: textAt(object, 'provisioner') ?? '',
    bindingMode: wordAt(object, 'volumeBindingMode', bindingModes) ?? 'Immediate',
    ...(hasField(object, 'allowedTopologies') && {
      allowedTopologies: objectsAt(object, 'allowedTopologies').map(readTerm),
    }),
    isDefault: defaultMarks.some((mark) => annotationAt(object, mark) === 'true'),
  };
}
