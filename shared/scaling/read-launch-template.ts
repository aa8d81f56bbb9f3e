import { hash32 } from '#cluster/hash32.ts';
import {
  type Fields,
  fieldsOf,
  finished,
  type Place,
  type ReadResult,
  readRequirements,
} from './aws-fields.ts';
import type { LaunchTemplateVersion } from './aws-views.ts';

/** Names under which AMIs of Linux register their root volume. */
const rootDeviceNames: ReadonlySet<string> = new Set(['/dev/xvda', '/dev/sda1', 'xvda', 'sda1']);

/** Reads one entry of `LaunchTemplateVersions` (DescribeLaunchTemplateVersions). Never throws. */
export const readLaunchTemplateVersion = (
  entry: unknown,
  place: Place,
): ReadResult<LaunchTemplateVersion> => {
  const fields = fieldsOf(entry, place);
  const data = fields.object('LaunchTemplateData');
  if (data === undefined) {
    fields.refuse(
      'LaunchTemplateData',
      'missingField',
      'LaunchTemplateData is missing: give the output of aws ec2 describe-launch-template-versions, not of describe-launch-templates',
    );
  }
  const instanceType = data?.optionalText('InstanceType');
  const imageId = data?.optionalText('ImageId');
  const requirements = readRequirements(data);
  const userData = data?.optionalText('UserData');
  const rootVolumeGiB = data === undefined ? undefined : rootVolume(data);
  return finished(fields, {
    id: fields.text('LaunchTemplateId'),
    name: fields.optionalText('LaunchTemplateName') ?? '',
    version: fields.count('VersionNumber'),
    isDefault: fields.flag('DefaultVersion'),
    ...(instanceType === undefined ? {} : { instanceType }),
    byAttributes: requirements !== undefined,
    ...(requirements === undefined ? {} : { requirements }),
    ...(imageId === undefined ? {} : { imageId }),
    ...(userData === undefined ? {} : { userDataHash: hash32(userData).toString(16) }),
    ...(rootVolumeGiB === undefined ? {} : { rootVolumeGiB }),
  });
};

/**
 * The image, which is not read, decides what the root device is called: the usual names are taken. A
 * mapping under another name is a data volume and says nothing of the root.
 */
const rootVolume = (data: Fields): number | undefined =>
  data
    .objects('BlockDeviceMappings')
    .filter((mapping) => rootDeviceNames.has(mapping.optionalText('DeviceName') ?? ''))
    .map((mapping) => mapping.object('Ebs')?.optionalCount('VolumeSize'))
    .find((size) => size !== undefined);
