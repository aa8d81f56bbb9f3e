import type { HostPort, SchedulingConstraints, Toleration } from './constraints.ts';
import {
  booleanAt,
  hasElements,
  hasField,
  numberAt,
  type ObjectField,
  objectAt,
  objectsAt,
  textAt,
  textMapAt,
  wordAt,
} from './fields.ts';
import { effectiveRequests } from './pod-requests.ts';
import { readNodeAffinity } from './read-node-selector.ts';
import { type PodIdentity, readPodAffinity } from './read-pod-affinity.ts';
import { isRestartable, readContainers, readPodRequests } from './read-pod-requests.ts';
import { readPodVolumes } from './read-pod-volumes.ts';
import { readRequiredFeatures } from './read-required-features.ts';
import { readTopologySpread } from './read-topology-spread.ts';
import { scoredRequests } from './scored-requests.ts';
import { sharedPart } from './shared-part.ts';

export const taintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;

/** Whose spec it is. */
export interface SpecOwner extends PodIdentity {
  /** Of the pod; absent of a template, whose pods have none yet. */
  readonly name?: string;
  /** Of a pod that is on a node: an in-place resize shows there. */
  readonly status?: ObjectField;
}

export function readToleration(field: ObjectField): Toleration {
  const key = textAt(field, 'key');
  const value = textAt(field, 'value');
  const effect = wordAt(field, 'effect', taintEffects);
  const tolerationSeconds = numberAt(field, 'tolerationSeconds');
  return {
    operator: wordAt(field, 'operator', ['Exists', 'Equal', 'Gt', 'Lt']) ?? 'Equal',
    ...(key ? { key } : {}),
    ...(value ? { value } : {}),
    ...(effect ? { effect } : {}),
    ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
  };
}

/** A pod on the host's network has each port of its containers there, as the API server fills it in. */
function readHostPorts(
  containers: readonly ObjectField[],
  onHostNetwork: boolean,
): readonly HostPort[] {
  const ports: HostPort[] = [];
  for (const container of containers) {
    for (const field of objectsAt(container, 'ports')) {
      const port =
        numberAt(field, 'hostPort') || (onHostNetwork && numberAt(field, 'containerPort')) || 0;
      if (port <= 0) continue;
      ports.push({
        protocol: wordAt(field, 'protocol', ['TCP', 'UDP', 'SCTP']) ?? 'TCP',
        hostIp: textAt(field, 'hostIP') || '0.0.0.0',
        port,
      });
    }
  }
  return ports;
}

/** What most pods have none of. */
function readRareConstraints(spec: ObjectField, owner: SpecOwner): Partial<SchedulingConstraints> {
  const topologySpread = hasElements(spec, 'topologySpreadConstraints')
    ? readTopologySpread(spec, owner.labels)
    : [];
  if (!hasField(spec, 'affinity') && topologySpread.length === 0) return {};
  const affinity = objectAt(spec, 'affinity');
  return sharedPart(spec.context.memory, {
    ...readNodeAffinity(affinity),
    ...readPodAffinity(affinity, owner),
    ...(topologySpread.length === 0 ? {} : { topologySpread }),
  });
}

export const usesHostNetwork = (spec: ObjectField): boolean => booleanAt(spec, 'hostNetwork');

/** What a pod spec, of a pod or of a template, demands of a node. */
export function readPodSpec(spec: ObjectField, owner: SpecOwner): SchedulingConstraints {
  const { memory } = spec.context;
  const both = readContainers(spec);
  const { containers, initContainers } = both;
  const lasting = [...initContainers.filter(isRestartable), ...containers];
  const volumes = readPodVolumes(spec, owner.name);
  const requiredFeatures = readRequiredFeatures(spec, [...containers, ...initContainers]);
  const parts = readPodRequests(spec, both, owner.status);
  const requests = effectiveRequests(parts);
  const scored = scoredRequests(parts, requests);
  return {
    requests: sharedPart(memory, requests),
    ...(scored === undefined ? {} : { scoredRequests: sharedPart(memory, scored) }),
    nodeSelector: sharedPart(memory, textMapAt(spec, 'nodeSelector')),
    tolerations: sharedPart(memory, objectsAt(spec, 'tolerations').map(readToleration)),
    hostPorts: sharedPart(memory, readHostPorts(lasting, usesHostNetwork(spec))),
    ...readRareConstraints(spec, owner),
    ...(volumes.length === 0 ? {} : { volumes }),
    ...(requiredFeatures.length === 0 ? {} : { requiredFeatures }),
    notJudged: sharedPart(memory, hasElements(spec, 'resourceClaims') ? ['resourceClaims'] : []),
  };
}
