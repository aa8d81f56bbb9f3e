import { setOwn } from '#cluster/own-record.ts';
import {
  type Fields,
  fieldsOf,
  finished,
  type Place,
  type ReadResult,
  readRequirements,
} from './aws-fields.ts';
import type {
  AutoScalingGroup,
  GroupInstance,
  InstanceOverride,
  InstancesDistribution,
  LaunchTemplateRef,
  WarmPool,
} from './aws-views.ts';

/**
 * Reads one entry of `AutoScalingGroups` (DescribeAutoScalingGroups, of the CLI or the SDK). A field
 * that cannot be used refuses the whole group: half a group would be scaled wrongly. Never throws.
 */
export const readAutoScalingGroup = (
  entry: unknown,
  place: Place,
): ReadResult<AutoScalingGroup> => {
  const fields = fieldsOf(entry, place);
  const mixed = fields.object('MixedInstancesPolicy');
  const policy = mixed?.object('LaunchTemplate');
  const distribution = readDistribution(mixed?.object('InstancesDistribution'));
  const launchTemplate = readRef(
    fields.object('LaunchTemplate') ?? policy?.object('LaunchTemplateSpecification'),
  );
  const launchConfigurationName = fields.optionalText('LaunchConfigurationName');
  const min = fields.count('MinSize');
  const max = fields.count('MaxSize');
  const desiredCapacityType = fields.optionalText('DesiredCapacityType');
  const warmPool = readWarmPool(fields);
  if (max < min) {
    fields.refuse('MaxSize', 'maxBelowMin', `MaxSize ${max} is below MinSize ${min}`);
  }

  return finished(fields, {
    name: fields.text('AutoScalingGroupName'),
    min,
    max,
    desired: fields.count('DesiredCapacity'),
    zones: texts(fields, 'AvailabilityZones'),
    tags: readTags(fields),
    ...(launchTemplate === undefined ? {} : { launchTemplate }),
    ...(launchConfigurationName === undefined ? {} : { launchConfigurationName }),
    overrides: (policy?.objects('Overrides') ?? []).map(readOverride),
    ...(distribution === undefined ? {} : { distribution }),
    instances: fields.objects('Instances').map(readInstance),
    suspendedProcesses: fields
      .objects('SuspendedProcesses')
      .map((suspended) => suspended.text('ProcessName')),
    newInstancesProtected: fields.flag('NewInstancesProtectedFromScaleIn'),
    ...(warmPool === undefined ? {} : { warmPool }),
    ...(desiredCapacityType === undefined || desiredCapacityType === 'units'
      ? {}
      : { desiredCapacityType }),
  });
};

/** What is not given has AWS's defaults: all On-Demand. */
const readDistribution = (fields: Fields | undefined): InstancesDistribution | undefined => {
  if (fields === undefined) return undefined;
  const onDemandPercentAbove = fields.optionalCount('OnDemandPercentageAboveBaseCapacity') ?? 100;
  if (onDemandPercentAbove > 100) {
    fields.refuse(
      'OnDemandPercentageAboveBaseCapacity',
      'wrongType',
      `OnDemandPercentageAboveBaseCapacity ${onDemandPercentAbove} is no percentage`,
    );
  }
  return {
    onDemandBase: fields.optionalCount('OnDemandBaseCapacity') ?? 0,
    onDemandPercentAbove,
  };
};

const readWarmPool = (fields: Fields): WarmPool | undefined => {
  const pool = fields.object('WarmPoolConfiguration');
  if (pool === undefined) return undefined;
  const size = fields.optionalCount('WarmPoolSize') ?? 0;
  return { size, state: pool.optionalText('PoolState') ?? 'Stopped' };
};

/** A launch template named without a version stands for its default version. */
const readRef = (fields: Fields | undefined): LaunchTemplateRef | undefined => {
  if (fields === undefined) return undefined;
  const id = fields.optionalText('LaunchTemplateId');
  const name = fields.optionalText('LaunchTemplateName');
  if (id === undefined && name === undefined) {
    fields.refuse('LaunchTemplateId', 'missingField', 'neither LaunchTemplateId nor Name is given');
  }
  return {
    ...(id === undefined ? {} : { id }),
    ...(name === undefined ? {} : { name }),
    version: fields.optionalText('Version') ?? '$Default',
  };
};

const readOverride = (fields: Fields): InstanceOverride => {
  const instanceType = fields.optionalText('InstanceType');
  const weight = readWeight(fields);
  const launchTemplate = readRef(fields.object('LaunchTemplateSpecification'));
  const requirements = readRequirements(fields);
  return {
    ...(instanceType === undefined ? {} : { instanceType }),
    byAttributes: requirements !== undefined,
    ...(requirements === undefined ? {} : { requirements }),
    ...(weight === undefined ? {} : { weight }),
    ...(launchTemplate === undefined ? {} : { launchTemplate }),
  };
};

/** AWS gives the weight as a text of digits, from 1 to 999. */
const readWeight = (fields: Fields): number | undefined => {
  const text = fields.optionalText('WeightedCapacity');
  if (text === undefined) return undefined;
  if (/^[1-9][0-9]{0,2}$/.test(text)) return Number(text);
  fields.refuse(
    'WeightedCapacity',
    'wrongType',
    `WeightedCapacity ${text} is not a whole number from 1 to 999`,
  );
  return undefined;
};

const readInstance = (fields: Fields): GroupInstance => {
  const type = fields.optionalText('InstanceType');
  const weight = readWeight(fields);
  const launchTemplate = readRef(fields.object('LaunchTemplate'));
  return {
    id: fields.text('InstanceId'),
    zone: fields.text('AvailabilityZone'),
    ...(type === undefined ? {} : { type }),
    lifecycleState: fields.text('LifecycleState'),
    healthy: (fields.optionalText('HealthStatus') ?? 'Healthy').toLowerCase() === 'healthy',
    protectedFromScaleIn: fields.flag('ProtectedFromScaleIn'),
    ...(launchTemplate === undefined ? {} : { launchTemplate }),
    ...(weight === undefined ? {} : { weight }),
  };
};

const readTags = (fields: Fields): Readonly<Record<string, string>> => {
  const tags: Record<string, string> = {};
  for (const tag of fields.objects('Tags')) {
    const value = tag.raw('Value');
    if (value !== undefined && typeof value !== 'string') {
      tag.refuse('Value', 'wrongType', 'the value of a tag is not a text');
      continue;
    }
    setOwn(tags, tag.text('Key'), value ?? '');
  }
  return tags;
};

const texts = (fields: Fields, name: string): readonly string[] =>
  fields.list(name).filter((entry, index): entry is string => {
    if (typeof entry === 'string' && entry !== '') return true;
    fields.refuse(`${name}[${index}]`, 'wrongType', `${name}[${index}] is not a text`);
    return false;
  });
