import type { ObjectField } from './fields.ts';
import { readMetadata } from './read-metadata.ts';
import type { NamespaceView } from './snapshot.ts';

/** A Namespace as `kubectl get -o json` prints it. */
export function readNamespaceObject(object: ObjectField): NamespaceView {
  const { name, labels } = readMetadata(object);
  return { name, labels };
}
