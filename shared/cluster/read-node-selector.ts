import type { NodeSelectorRequirement, NodeSelectorTerm, Weighted } from './constraints.ts';
import {
  hasElements,
  hasField,
  type ObjectField,
  objectAt,
  objectsAt,
  textAt,
  textsAt,
} from './fields.ts';
import { operatorAt } from './read-label-selector.ts';
import { weightAt } from './weight.ts';

const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'] as const;

function readRequirement(field: ObjectField): NodeSelectorRequirement | undefined {
  const operator = operatorAt(field, operators);
  if (operator === undefined) return undefined;
  return { key: textAt(field, 'key') ?? '', operator, values: textsAt(field, 'values') };
}

const readRequirements = (term: ObjectField, key: string): readonly NodeSelectorRequirement[] =>
  objectsAt(term, key)
    .map(readRequirement)
    .filter((requirement) => requirement !== undefined);

const readTerm = (term: ObjectField): NodeSelectorTerm => ({
  matchExpressions: readRequirements(term, 'matchExpressions'),
  matchFields: readRequirements(term, 'matchFields'),
});

/** The terms of a NodeSelector in a field; `undefined` where there is no such field. */
export const readNodeSelectorTerms = (
  of: ObjectField,
  key: string,
): readonly NodeSelectorTerm[] | undefined =>
  hasField(of, key) ? objectsAt(objectAt(of, key), 'nodeSelectorTerms').map(readTerm) : undefined;

/** The parts of `spec.affinity.nodeAffinity`, as constraints have them. */
export function readNodeAffinity(affinity: ObjectField): {
  readonly requiredNodeAffinity?: readonly NodeSelectorTerm[];
  readonly preferredNodeAffinity?: readonly Weighted<NodeSelectorTerm>[];
} {
  const nodeAffinity = objectAt(affinity, 'nodeAffinity');
  const required = readNodeSelectorTerms(
    nodeAffinity,
    'requiredDuringSchedulingIgnoredDuringExecution',
  );
  const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
  return {
    ...(required === undefined ? {} : { requiredNodeAffinity: required }),
    ...(hasElements(nodeAffinity, preferred) && {
      preferredNodeAffinity: objectsAt(nodeAffinity, preferred).map((field) => ({
        weight: weightAt(field),
        term: readTerm(objectAt(field, 'preference')),
      })),
    }),
  };
}
