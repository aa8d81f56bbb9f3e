import {
  DescribeInstanceTypesCommand,
  type EC2Client,
  type InstanceTypeInfo,
  type _InstanceType as InstanceTypeName,
} from '@aws-sdk/client-ec2';
import type { Problem } from '#cluster/problem.ts';
import { PortError } from '#ports/port-error.ts';
import type { InstanceType } from '#scaling/aws-views.ts';
import { readAwsObjects } from '#scaling/read-aws-objects.ts';
import { calling } from './aws-error.ts';

export interface InstanceTypesFound {
  /** By name. */
  readonly instanceTypes: readonly InstanceType[];
  readonly problems: readonly Problem[];
}

export interface InstanceTypeCatalogue {
  find(names: readonly string[]): Promise<InstanceTypesFound>;
}

/** The most names that one DescribeInstanceTypes call takes. */
const namesPerCall = 100;

/** A type never changes; it is asked for again only in case AWS has mended its entry. */
const keptMs = 20 * 60 * 1000;

/**
 * Instance types of one region, each asked for at most once in 20 minutes. A name that AWS does not know is a
 * problem told, and is asked for again next time.
 */
export function instanceTypeCatalogue(
  client: EC2Client,
  nowMs: () => number = Date.now,
): InstanceTypeCatalogue {
  const kept = new Map<string, { readonly type: InstanceType; readonly untilMs: number }>();

  return {
    async find(names) {
      const now = nowMs();
      const wanted = [...new Set(names)].sort();
      const asked = wanted.filter((name) => (kept.get(name)?.untilMs ?? 0) <= now);
      const problems: Problem[] = [];
      for (let from = 0; from < asked.length; from += namesPerCall) {
        const page = asked.slice(from, from + namesPerCall);
        const raw = await describeKnown(client, page);
        const read = readAwsObjects([{ content: { InstanceTypes: raw } }]);
        problems.push(...read.problems);
        for (const type of read.instanceTypes) {
          kept.set(type.name, { type, untilMs: now + keptMs });
        }
        const answered = new Set<string | undefined>(raw.map((type) => type.InstanceType));
        problems.push(...page.filter((name) => !answered.has(name)).map(unknownType));
      }
      return {
        instanceTypes: wanted.flatMap((name) => kept.get(name)?.type ?? []),
        problems,
      };
    },
  };
}

/** One unknown name fails the call for all: the names are halved until it stands alone. */
async function describeKnown(
  client: EC2Client,
  names: readonly string[],
): Promise<readonly InstanceTypeInfo[]> {
  try {
    return await describe(client, names);
  } catch (error) {
    const unknown = error instanceof PortError && ['invalid', 'notFound'].includes(error.code);
    if (!unknown) throw error;
    if (names.length <= 1) return [];
  }
  const half = Math.ceil(names.length / 2);
  const first = await describeKnown(client, names.slice(0, half));
  return [...first, ...(await describeKnown(client, names.slice(half)))];
}

async function describe(
  client: EC2Client,
  names: readonly string[],
): Promise<readonly InstanceTypeInfo[]> {
  const found: InstanceTypeInfo[] = [];
  let token: string | undefined;
  do {
    const command = new DescribeInstanceTypesCommand({
      InstanceTypes: names as InstanceTypeName[],
      ...(token !== undefined && { NextToken: token }),
    });
    const answer = await calling('DescribeInstanceTypes', () => client.send(command));
    found.push(...(answer.InstanceTypes ?? []));
    token = answer.NextToken || undefined;
  } while (token !== undefined);
  return found;
}

const unknownType = (name: string): Problem => ({
  field: `InstanceTypes[${name}]`,
  code: 'unknownInstanceType',
  message: `AWS knows no instance type ${name} in this region: name one that it offers`,
});
