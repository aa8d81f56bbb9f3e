import { isJsonObject } from '#cluster/json.ts';
import type { Problem } from '#cluster/problem.ts';
import { type Place, type ReadResult, shown } from './aws-fields.ts';
import type {
  AutoScalingGroup,
  InstanceType,
  LaunchTemplateVersion,
  TypesByAttributes,
} from './aws-views.ts';
import { readAutoScalingGroup } from './read-auto-scaling-group.ts';
import { readInstanceType } from './read-instance-type.ts';
import { readLaunchTemplateVersion } from './read-launch-template.ts';
import { readTypesByAttributes } from './read-types-by-attributes.ts';

export interface AwsDocument {
  readonly file?: string;
  readonly content: unknown;
}

export interface AwsObjects {
  readonly groups: readonly AutoScalingGroup[];
  readonly launchTemplates: readonly LaunchTemplateVersion[];
  readonly instanceTypes: readonly InstanceType[];
  readonly typesByAttributes: readonly TypesByAttributes[];
  readonly problems: readonly Problem[];
}

const lists = [
  'AutoScalingGroups',
  'LaunchTemplateVersions',
  'InstanceTypes',
  'GroupInstanceTypes',
] as const;

/** Whether a parsed JSON document is one of the answers that `readAwsObjects` reads. */
export const isAwsDocument = (content: unknown): boolean =>
  isJsonObject(content) && lists.some((list) => Object.hasOwn(content, list));

/**
 * Reads the answers of DescribeAutoScalingGroups, DescribeLaunchTemplateVersions and
 * DescribeInstanceTypes, and of GetInstanceTypesFromInstanceRequirements with the group beside it, told apart by their content; several documents merge, and what none of them
 * holds is empty. A broken entry is left out and named; of two entries of one name the first counts.
 * Never throws, whatever the content.
 */
export const readAwsObjects = (documents: readonly AwsDocument[]): AwsObjects => {
  const problems: Problem[] = [];
  const read = <Value>(
    list: (typeof lists)[number],
    readEntry: (entry: unknown, place: Place) => ReadResult<Value>,
    keyOf: (value: Value) => string,
  ): readonly Value[] => {
    const byKey = new Map<string, Value>();
    for (const { entry, place } of entriesOf(documents, list, problems)) {
      const result = readEntry(entry, place);
      if ('problems' in result) problems.push(...result.problems);
      else if (byKey.has(keyOf(result.value))) problems.push(duplicate(place, keyOf(result.value)));
      else byKey.set(keyOf(result.value), result.value);
    }
    return [...byKey.values()];
  };
  return {
    groups: read('AutoScalingGroups', readAutoScalingGroup, (group) => group.name),
    launchTemplates: read(
      'LaunchTemplateVersions',
      readLaunchTemplateVersion,
      (template) => `${template.id} version ${template.version}`,
    ),
    instanceTypes: read('InstanceTypes', readInstanceType, (type) => type.name),
    typesByAttributes: read('GroupInstanceTypes', readTypesByAttributes, ({ group }) => group),
    problems,
  };
};

interface Entry {
  readonly entry: unknown;
  readonly place: Place;
}

const entriesOf = (
  documents: readonly AwsDocument[],
  list: (typeof lists)[number],
  problems: Problem[],
): readonly Entry[] =>
  documents.flatMap(({ file, content }) => {
    if (!isJsonObject(content) || !Object.hasOwn(content, list)) return [];
    const named = file === undefined ? {} : { file };
    const entries = content[list];
    if (Array.isArray(entries)) {
      return entries.map((entry: unknown, index) => ({
        entry,
        place: { ...named, field: `${list}[${nameOf(entry) ?? index}]` },
      }));
    }
    problems.push({
      ...named,
      field: list,
      code: 'wrongType',
      message: `${list} is ${shown(entries)}, not a list: give AWS's answer as it came`,
    });
    return [];
  });

/** What people know an entry by. */
const nameOf = (entry: unknown): string | undefined => {
  if (!isJsonObject(entry)) return undefined;
  for (const key of ['AutoScalingGroupName', 'LaunchTemplateId', 'InstanceType']) {
    const name = Object.hasOwn(entry, key) ? entry[key] : undefined;
    if (typeof name === 'string' && name !== '') return name;
  }
  return undefined;
};

const duplicate = (place: Place, key: string): Problem => ({
  ...(place.file === undefined ? {} : { file: place.file }),
  field: place.field,
  code: 'duplicate',
  message: `${key} is given more than once: the first is used; remove the others`,
});

/** The region of an availability zone: `us-west-2` of `us-west-2a` and of `us-west-2-lax-1a`. */
export const regionOfZone = (zone: string): string | undefined =>
  /^[a-z]+(?:-[a-z]+)+-[0-9]+/.exec(zone)?.[0];

/** The region of the first group (by name) whose zones tell it. */
export const regionOfGroups = (groups: readonly AutoScalingGroup[]): string | undefined =>
  [...groups]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((group) => group.zones.map(regionOfZone))
    .find((region) => region !== undefined);
