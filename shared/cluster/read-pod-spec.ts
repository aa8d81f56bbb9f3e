import type {
  HostPort,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  SchedulingConstraints,
  Toleration,
} from './constraints.ts';
import {
  addFault,
  booleanAt,
  hasElements,
  hasField,
  numberAt,
  type ObjectField,
  objectAt,
  objectsAt,
  quantitiesAt,
  textAt,
  textMapAt,
  textsAt,
  wordAt,
} from './fields.ts';
import {
  defaultedRequests,
  effectiveRequests,
  type PodRequestParts,
  type Quantities,
} from './pod-requests.ts';

/** Adjusts a container's requests, where a status says more than the spec. */
export type AdjustRequests = (container: ObjectField, requests: Quantities) => Quantities;

const requirementOperators = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'] as const;
export const taintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;

const isRestartable = (container: ObjectField): boolean =>
  textAt(container, 'restartPolicy') === 'Always';

function readRequests(spec: ObjectField, adjust: AdjustRequests): PodRequestParts {
  const requestsOf = (container: ObjectField): Quantities => {
    const resources = objectAt(container, 'resources');
    const requests = quantitiesAt(resources, 'requests');
    return adjust(container, defaultedRequests(requests, quantitiesAt(resources, 'limits')));
  };
  const podLevel = objectAt(spec, 'resources');
  return {
    containers: objectsAt(spec, 'containers').map(requestsOf),
    initContainers: objectsAt(spec, 'initContainers').map((container) => ({
      requests: requestsOf(container),
      restartable: isRestartable(container),
    })),
    podLevel: {
      requests: quantitiesAt(podLevel, 'requests'),
      limits: quantitiesAt(podLevel, 'limits'),
    },
    overhead: quantitiesAt(spec, 'overhead'),
  };
}

function readRequirement(field: ObjectField): NodeSelectorRequirement | undefined {
  const operator = wordAt(field, 'operator', requirementOperators);
  if (operator === undefined) {
    if (!textAt(field, 'operator')) {
      const message = `there is no operator; write one of ${requirementOperators.join(', ')}`;
      addFault(field, 'operator', { code: 'valueMissing', message });
    }
    return undefined;
  }
  return { key: textAt(field, 'key') ?? '', operator, values: textsAt(field, 'values') };
}

const readRequirements = (term: ObjectField, key: string): readonly NodeSelectorRequirement[] =>
  objectsAt(term, key)
    .map(readRequirement)
    .filter((requirement) => requirement !== undefined);

/** `undefined` where nothing is required. */
function readRequiredTerms(affinity: ObjectField): readonly NodeSelectorTerm[] | undefined {
  const nodeAffinity = objectAt(affinity, 'nodeAffinity');
  const field = 'requiredDuringSchedulingIgnoredDuringExecution';
  if (!hasField(nodeAffinity, field)) return undefined;
  return objectsAt(objectAt(nodeAffinity, field), 'nodeSelectorTerms').map((term) => ({
    matchExpressions: readRequirements(term, 'matchExpressions'),
    matchFields: readRequirements(term, 'matchFields'),
  }));
}

function readToleration(field: ObjectField): Toleration {
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

function readHostPorts(containers: readonly ObjectField[]): readonly HostPort[] {
  const ports: HostPort[] = [];
  for (const container of containers) {
    for (const field of objectsAt(container, 'ports')) {
      const port = numberAt(field, 'hostPort') ?? 0;
      if (port === 0) continue;
      ports.push({
        protocol: wordAt(field, 'protocol', ['TCP', 'UDP', 'SCTP']) ?? 'TCP',
        hostIp: textAt(field, 'hostIP') || '0.0.0.0',
        port,
      });
    }
  }
  return ports;
}

const isHardSpread = (constraint: ObjectField): boolean =>
  (textAt(constraint, 'whenUnsatisfiable') ?? 'DoNotSchedule') === 'DoNotSchedule';

const needsVolume = (volume: ObjectField): boolean =>
  hasField(volume, 'persistentVolumeClaim') || hasField(volume, 'ephemeral');

/** Hard constraints that no filter judges yet, by field. */
function readNotJudged(spec: ObjectField, affinity: ObjectField): readonly string[] {
  const required = 'requiredDuringSchedulingIgnoredDuringExecution';
  const found: string[] = [];
  for (const kind of ['podAffinity', 'podAntiAffinity']) {
    if (hasElements(objectAt(affinity, kind), required)) found.push(kind);
  }
  if (objectsAt(spec, 'topologySpreadConstraints').some(isHardSpread)) {
    found.push('topologySpreadConstraints');
  }
  if (hasElements(spec, 'resourceClaims')) found.push('resourceClaims');
  if (objectsAt(spec, 'volumes').some(needsVolume)) found.push('volumes');
  return found;
}

/** What a pod spec, of a pod or of a template, demands of a node. */
export function readPodSpec(
  spec: ObjectField,
  adjust: AdjustRequests = (_container, requests) => requests,
): SchedulingConstraints {
  const affinity = objectAt(spec, 'affinity');
  const requiredNodeAffinity = readRequiredTerms(affinity);
  const sidecars = objectsAt(spec, 'initContainers').filter(isRestartable);
  return {
    requests: effectiveRequests(readRequests(spec, adjust)),
    nodeSelector: textMapAt(spec, 'nodeSelector'),
    ...(requiredNodeAffinity === undefined ? {} : { requiredNodeAffinity }),
    tolerations: objectsAt(spec, 'tolerations').map(readToleration),
    hostPorts: readHostPorts([...objectsAt(spec, 'containers'), ...sidecars]),
    notJudged: readNotJudged(spec, affinity),
  };
}

export const usesHostNetwork = (spec: ObjectField): boolean => booleanAt(spec, 'hostNetwork');
