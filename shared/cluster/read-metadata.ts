import {
  addFault,
  booleanAt,
  type ObjectField,
  objectAt,
  objectsAt,
  textAt,
  textMapAt,
  timeAt,
} from './fields.ts';
import { isJsonObject } from './json.ts';
import type { OwnerView } from './snapshot.ts';

/** What every object's metadata gives. */
export interface Metadata {
  readonly name: string;
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly createdAtMs?: number;
  readonly deletedAtMs?: number;
}

const annotationPrefixes = ['cluster-autoscaler.kubernetes.io/', 'karpenter.sh/', 'outrider.dev/'];

/** Only annotations that mean something here are kept: the others may be large, or secret. */
const isKeptAnnotation = (key: string): boolean =>
  annotationPrefixes.some((prefix) => key.startsWith(prefix));

export function readMetadata(object: ObjectField): Metadata {
  const metadata = objectAt(object, 'metadata');
  const name = textAt(metadata, 'name');
  if (!name) {
    const message = 'there is no name; every object of a cluster has one';
    addFault(metadata, 'name', { code: 'nameMissing', message });
  }
  const createdAtMs = timeAt(metadata, 'creationTimestamp');
  const deletedAtMs = timeAt(metadata, 'deletionTimestamp');
  return {
    name: name ?? '',
    uid: textAt(metadata, 'uid') ?? '',
    labels: textMapAt(metadata, 'labels'),
    annotations: textMapAt(metadata, 'annotations', isKeptAnnotation),
    ...(createdAtMs === undefined ? {} : { createdAtMs }),
    ...(deletedAtMs === undefined ? {} : { deletedAtMs }),
  };
}

/** One annotation, whatever `readMetadata` keeps; absent where there is none. */
export const annotationAt = (object: ObjectField, name: string): string | undefined =>
  textAt(objectAt(objectAt(object, 'metadata'), 'annotations'), name);

/** The controlling owner among the references of an object. */
export function readController(object: ObjectField): OwnerView | undefined {
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

/** The namespace of a namespaced object; kubectl leaves it out of what was never stored. */
export const readNamespace = (object: ObjectField): string =>
  textAt(objectAt(object, 'metadata'), 'namespace') || 'default';

/**
 * `namespace/name`, or the name where there are no namespaces, without putting down faults;
 * `undefined` where there is no name.
 */
export function peekName(
  fields: Readonly<Record<string, unknown>>,
  namespaced: boolean,
): string | undefined {
  const metadata = fields.metadata;
  if (!isJsonObject(metadata)) return undefined;
  const { name, namespace } = metadata;
  if (typeof name !== 'string' || name === '') return undefined;
  if (!namespaced) return name;
  return `${typeof namespace === 'string' && namespace !== '' ? namespace : 'default'}/${name}`;
}
