import type { Toleration } from './constraints.ts';
import { type ObjectField, objectAt, textMapAt } from './fields.ts';
import { readMetadata, readNamespace } from './read-metadata.ts';
import { readPodSpec, usesHostNetwork } from './read-pod-spec.ts';
import type { DaemonSetView } from './snapshot.ts';

const toleratesNode = (condition: string, effect: Toleration['effect']): Toleration => ({
  key: `node.kubernetes.io/${condition}`,
  operator: 'Exists',
  ...(effect ? { effect } : {}),
});

/**
 * What the DaemonSet controller adds to each of its pods (AddOrUpdateDaemonPodTolerations in
 * kubernetes pkg/controller/daemon/util).
 */
const addedTolerations: readonly Toleration[] = [
  toleratesNode('not-ready', 'NoExecute'),
  toleratesNode('unreachable', 'NoExecute'),
  toleratesNode('disk-pressure', 'NoSchedule'),
  toleratesNode('memory-pressure', 'NoSchedule'),
  toleratesNode('pid-pressure', 'NoSchedule'),
  toleratesNode('unschedulable', 'NoSchedule'),
];

/** Added where the pods use the host's network, which is there before the pod network. */
const hostNetworkToleration = toleratesNode('network-unavailable', 'NoSchedule');

/** A DaemonSet as `kubectl get -o json` prints it: the demands of its pods. */
export function readDaemonSet(object: ObjectField): DaemonSetView {
  const { name, uid } = readMetadata(object);
  const template = objectAt(objectAt(object, 'spec'), 'template');
  const spec = objectAt(template, 'spec');
  const namespace = readNamespace(object);
  const labels = textMapAt(objectAt(template, 'metadata'), 'labels');
  const constraints = readPodSpec(spec, { namespace, labels });
  return {
    namespace,
    name,
    uid,
    labels,
    ...constraints,
    tolerations: [
      ...constraints.tolerations,
      ...addedTolerations,
      ...(usesHostNetwork(spec) ? [hostNetworkToleration] : []),
    ],
  };
}
