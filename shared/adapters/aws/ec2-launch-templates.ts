import {
  DescribeLaunchTemplateVersionsCommand,
  type EC2Client,
  type LaunchTemplateVersion as RawVersion,
} from '@aws-sdk/client-ec2';
import { inParallel } from '#cluster/in-parallel.ts';
import type { Problem } from '#cluster/problem.ts';
import { PortError } from '#ports/port-error.ts';
import type { LaunchTemplateRef, LaunchTemplateVersion } from '#scaling/aws-views.ts';
import { readAwsObjects } from '#scaling/read-aws-objects.ts';
import { calling } from './aws-error.ts';

export interface TemplateRequest {
  readonly template: LaunchTemplateRef;
  /** The group that names it, for problems. */
  readonly group: string;
}

export interface TemplatesFound {
  readonly versions: readonly LaunchTemplateVersion[];
  readonly problems: readonly Problem[];
}

/** Kept low: EC2 throttles describe calls per account, and others are asking as well. */
const callsAtOnce = 5;

/**
 * Asks for exactly the versions named: one call per template (AWS takes no more), with all its versions.
 * `$Latest` and `$Default` are answered by number. A template or version that does not exist is a problem of the
 * groups that name it.
 */
export async function describeLaunchTemplates(
  client: EC2Client,
  requests: readonly TemplateRequest[],
): Promise<TemplatesFound> {
  const wanted = Object.values(Object.groupBy(requests, ({ template }) => keyOf(template)));
  const answers = await inParallel(wanted, callsAtOnce, (same) => describeOne(client, same ?? []));
  const raw = new Map<string, RawVersion>();
  for (const version of answers.flatMap((answer) => answer.raw)) {
    // A template named by id here and by name there is answered twice.
    raw.set(`${version.LaunchTemplateId}/${version.VersionNumber}`, version);
  }
  const content = { LaunchTemplateVersions: [...raw.values()] };
  const read = readAwsObjects([{ content }]);
  return {
    versions: read.launchTemplates.toSorted((a, b) =>
      a.id === b.id ? a.version - b.version : a.id < b.id ? -1 : 1,
    ),
    problems: [...answers.flatMap((answer) => answer.problems), ...read.problems],
  };
}

const keyOf = ({ id, name }: LaunchTemplateRef): string =>
  id === undefined ? `name ${name}` : `id ${id}`;

interface Answer {
  readonly raw: readonly RawVersion[];
  readonly problems: readonly Problem[];
}

async function describeOne(
  client: EC2Client,
  requests: readonly TemplateRequest[],
): Promise<Answer> {
  const [first] = requests;
  if (first === undefined) return { raw: [], problems: [] };
  const versions = [...new Set(requests.map(({ template }) => template.version))];
  try {
    return { raw: await describeVersions(client, first.template, versions), problems: [] };
  } catch (error) {
    if (!isMissing(error)) throw error;
    // One version that is gone fails the call for all of them.
    if (versions.length === 1) return { raw: [], problems: requests.map(missing(error)) };
  }
  const byVersion = Object.groupBy(requests, ({ template }) => template.version);
  const answers = await inParallel(Object.values(byVersion), 1, (same) =>
    describeOne(client, same ?? []),
  );
  return {
    raw: answers.flatMap((answer) => answer.raw),
    problems: answers.flatMap((answer) => answer.problems),
  };
}

async function describeVersions(
  client: EC2Client,
  template: LaunchTemplateRef,
  versions: readonly string[],
): Promise<readonly RawVersion[]> {
  const call = `DescribeLaunchTemplateVersions (${keyOf(template)})`;
  const found: RawVersion[] = [];
  let token: string | undefined;
  do {
    const command = new DescribeLaunchTemplateVersionsCommand({
      ...(template.id === undefined
        ? { LaunchTemplateName: template.name }
        : { LaunchTemplateId: template.id }),
      Versions: [...versions],
      ...(token !== undefined && { NextToken: token }),
    });
    const answer = await calling(call, () => client.send(command));
    found.push(...(answer.LaunchTemplateVersions ?? []));
    token = answer.NextToken || undefined;
  } while (token !== undefined);
  return found;
}

const isMissing = (error: unknown): error is PortError =>
  error instanceof PortError && (error.code === 'notFound' || error.code === 'invalid');

const missing =
  (error: PortError) =>
  ({ template, group }: TemplateRequest): Problem => ({
    field: `AutoScalingGroups[${group}].LaunchTemplate`,
    code: 'launchTemplateMissing',
    message:
      `version ${template.version} of launch template ${template.id ?? template.name} cannot be ` +
      `read (${error.message}): give the group one that exists`,
  });
