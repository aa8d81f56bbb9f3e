import { type ObjectField, textMapAt } from './fields.ts';
import { readMetadata, readNamespace } from './read-metadata.ts';
import type { ConfigMapView } from './snapshot.ts';

/** Where Cluster Autoscaler's `priority` expander has its list of groups. */
export const priorityConfigMap = {
  namespace: 'kube-system',
  name: 'cluster-autoscaler-priority-expander',
  key: 'priorities',
} as const;

/** A ConfigMap as `kubectl get -o json` prints it; what it holds is kept only where it says how to scale. */
export function readConfigMap(object: ObjectField): ConfigMapView {
  const { name } = readMetadata(object);
  const namespace = readNamespace(object);
  const isAsked = namespace === priorityConfigMap.namespace && name === priorityConfigMap.name;
  return { namespace, name, data: isAsked ? textMapAt(object, 'data') : {} };
}
