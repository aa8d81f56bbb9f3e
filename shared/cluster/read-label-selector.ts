import type { LabelSelector, LabelSelectorRequirement } from './constraints.ts';
import {
  addFault,
  hasField,
  type ObjectField,
  objectAt,
  objectsAt,
  textAt,
  textMapAt,
  textsAt,
  wordAt,
} from './fields.ts';

const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist'] as const;

/** One of a closed list of operators; that there is none is a fault. */
export function operatorAt<Operator extends string>(
  field: ObjectField,
  known: readonly Operator[],
): Operator | undefined {
  const operator = wordAt(field, 'operator', known);
  if (operator === undefined && !textAt(field, 'operator')) {
    const message = `there is no operator; write one of ${known.join(', ')}`;
    addFault(field, 'operator', { code: 'valueMissing', message });
  }
  return operator;
}

function readRequirement(field: ObjectField): LabelSelectorRequirement | undefined {
  const operator = operatorAt(field, operators);
  if (operator === undefined) return undefined;
  const values = textsAt(field, 'values');
  const takesValues = operator === 'In' || operator === 'NotIn';
  if (takesValues !== values.length > 0) {
    const message = takesValues
      ? `${operator} has no values; write at least one`
      : `${operator} has values; leave them out`;
    addFault(field, 'values', { code: 'valuesUnfit', message });
  }
  return { key: textAt(field, 'key') ?? '', operator, values };
}

/**
 * A selector of objects by their labels; `undefined` where there is none, which in most places selects
 * nothing. One that the API server would refuse (`In` without values) is a fault.
 */
export function readLabelSelector(of: ObjectField, key: string): LabelSelector | undefined {
  if (!hasField(of, key)) return undefined;
  const selector = objectAt(of, key);
  return {
    matchLabels: textMapAt(selector, 'matchLabels'),
    matchExpressions: objectsAt(selector, 'matchExpressions')
      .map(readRequirement)
      .filter((requirement) => requirement !== undefined),
  };
}
