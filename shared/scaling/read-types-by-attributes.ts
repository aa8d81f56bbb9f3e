import { fieldsOf, finished, type Place, type ReadResult } from './aws-fields.ts';
import type { TypesByAttributes } from './aws-views.ts';

/**
 * Reads one entry of `GroupInstanceTypes`: the answer of GetInstanceTypesFromInstanceRequirements for a group,
 * `InstanceTypes`, with the group's `AutoScalingGroupName` beside it. Never throws.
 */
export const readTypesByAttributes = (
  entry: unknown,
  place: Place,
): ReadResult<TypesByAttributes> => {
  const fields = fieldsOf(entry, place);
  const types = fields.objects('InstanceTypes').map((type) => type.text('InstanceType'));
  return finished(fields, {
    group: fields.text('AutoScalingGroupName'),
    types: [...new Set(types)].sort(),
  });
};
