import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAwsObjects } from '#scaling/read-aws-objects.ts';

const keys = fc.constantFrom(
  'AutoScalingGroups',
  'LaunchTemplateVersions',
  'InstanceTypes',
  'AutoScalingGroupName',
  'MinSize',
  'MaxSize',
  'DesiredCapacity',
  'AvailabilityZones',
  'Instances',
  'InstanceId',
  'LifecycleState',
  'AvailabilityZone',
  'Tags',
  'Key',
  'Value',
  'MixedInstancesPolicy',
  'LaunchTemplate',
  'LaunchTemplateSpecification',
  'Overrides',
  'WeightedCapacity',
  'LaunchTemplateData',
  'LaunchTemplateId',
  'BlockDeviceMappings',
  'InstanceType',
  'NetworkInfo',
  'NetworkCards',
  'GpuInfo',
  'Gpus',
  '__proto__',
  'constructor',
);

/** JSON whose keys are AWS's own, so that it gets far into the readers. */
const { value: likely } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.constantFrom(null, true, -1, 1.5, 2, 1e300, '', 'a', '2', '$Latest'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(keys, tie('value')), { maxLength: 8 }).map(Object.fromEntries),
  ),
}));

describe('reading AWS documents', () => {
  it('never throws and names every entry that it leaves out', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.anything(), fc.jsonValue(), likely)), (contents) => {
        const objects = readAwsObjects(contents.map((content) => ({ content })));
        for (const { code, message, field } of objects.problems) {
          expect(code).toMatch(/^[a-z][A-Za-z]+$/);
          expect(message).not.toBe('');
          expect(field).not.toBe('');
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('reads each list apart from the others', () => {
    fc.assert(
      fc.property(likely, likely, (groups, types) => {
        const both = readAwsObjects([
          { content: { AutoScalingGroups: groups, InstanceTypes: types } },
        ]);
        const apart = readAwsObjects([
          { content: { InstanceTypes: types } },
          { content: { AutoScalingGroups: groups } },
        ]);
        expect(both).toEqual(apart);
      }),
    );
  });
});
