import { numberAt, type ObjectField, objectAt, textAt, timeAt } from './fields.ts';
import { readMetadata, readNamespace } from './read-metadata.ts';
import type { LeaseView } from './snapshot.ts';

/** A coordination.k8s.io Lease as `kubectl get -o json` prints it. */
export function readLease(object: ObjectField): LeaseView {
  const { name } = readMetadata(object);
  const spec = objectAt(object, 'spec');
  const holder = textAt(spec, 'holderIdentity');
  const renewedAtMs = timeAt(spec, 'renewTime');
  const durationSeconds = numberAt(spec, 'leaseDurationSeconds');
  return {
    namespace: readNamespace(object),
    name,
    ...(holder ? { holder } : {}),
    ...(renewedAtMs === undefined ? {} : { renewedAtMs }),
    ...(durationSeconds === undefined ? {} : { durationSeconds }),
  };
}
