import type { TopologySpreadConstraint } from './constraints.ts';
import {
  addFault,
  numberAt,
  type ObjectField,
  objectsAt,
  textAt,
  textsAt,
  wordAt,
} from './fields.ts';
import { spreadSelector } from './match-label-keys.ts';
import { readLabelSelector } from './read-label-selector.ts';

const policies = ['Honor', 'Ignore'] as const;

/** A whole number of at least 1; anything else is a fault. */
function atLeastOne(field: ObjectField, key: string): number | undefined {
  const value = numberAt(field, key);
  if (value !== undefined && value < 1) {
    addFault(field, key, {
      code: 'numberTooSmall',
      message: `${value} is too small; write 1 or more`,
    });
  }
  return value;
}

function readConstraint(
  field: ObjectField,
  labels: Readonly<Record<string, string>>,
): TopologySpreadConstraint {
  const topologyKey = textAt(field, 'topologyKey') ?? '';
  if (topologyKey === '') {
    const message =
      'there is no topology key; name a label of nodes, such as topology.kubernetes.io/zone';
    addFault(field, 'topologyKey', { code: 'valueMissing', message });
  }
  const given = readLabelSelector(field, 'labelSelector');
  const selector = given && spreadSelector(given, textsAt(field, 'matchLabelKeys'), labels);
  const minDomains = atLeastOne(field, 'minDomains');
  return {
    topologyKey,
    maxSkew: atLeastOne(field, 'maxSkew') ?? 1,
    whenUnsatisfiable:
      wordAt(field, 'whenUnsatisfiable', ['DoNotSchedule', 'ScheduleAnyway']) ?? 'DoNotSchedule',
    ...(selector === undefined ? {} : { selector }),
    ...(minDomains === undefined ? {} : { minDomains }),
    nodeAffinityPolicy: wordAt(field, 'nodeAffinityPolicy', policies) ?? 'Honor',
    nodeTaintsPolicy: wordAt(field, 'nodeTaintsPolicy', policies) ?? 'Ignore',
  };
}

/** `spec.topologySpreadConstraints`, hard and soft; policies as kube-scheduler takes them where none is given. */
export const readTopologySpread = (
  spec: ObjectField,
  labels: Readonly<Record<string, string>>,
): readonly TopologySpreadConstraint[] =>
  objectsAt(spec, 'topologySpreadConstraints').map((field) => readConstraint(field, labels));
