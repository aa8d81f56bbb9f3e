import { addFault, numberAt, type ObjectField } from './fields.ts';

/** The weight of a preference, 1 to 100; anything else is a fault. */
export function weightAt(preference: ObjectField): number {
  const weight = numberAt(preference, 'weight') ?? 0;
  if (weight >= 1 && weight <= 100) return weight;
  const message = `${weight} is no weight; write a whole number from 1 to 100`;
  addFault(preference, 'weight', { code: 'weightUnfit', message });
  return 1;
}
