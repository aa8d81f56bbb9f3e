import {
  type AutoScalingClient,
  DescribeAutoScalingGroupsCommand,
  type DescribeAutoScalingGroupsCommandInput,
  type AutoScalingGroup as RawGroup,
} from '@aws-sdk/client-auto-scaling';
import { calling } from './aws-error.ts';

/** The most that one DescribeAutoScalingGroups call answers, and the most names that it takes with that size. */
const pageSize = 100;

/** Groups that carry every tag, page by page; an empty value accepts any. */
export const describeGroupsByTags = (
  client: AutoScalingClient,
  tags: Readonly<Record<string, string>>,
): Promise<readonly RawGroup[]> =>
  describePages(client, {
    Filters: Object.entries(tags).map(([key, value]) =>
      value === '' ? { Name: 'tag-key', Values: [key] } : { Name: `tag:${key}`, Values: [value] },
    ),
  });

/** Groups by name, a hundred a call; a name that no group has is left out. */
export async function describeGroupsByName(
  client: AutoScalingClient,
  names: readonly string[],
): Promise<readonly RawGroup[]> {
  const groups: RawGroup[] = [];
  const wanted = [...new Set(names)];
  for (let from = 0; from < wanted.length; from += pageSize) {
    const page = wanted.slice(from, from + pageSize);
    groups.push(...(await describePages(client, { AutoScalingGroupNames: page })));
  }
  const isWanted = new Set<string | undefined>(wanted);
  return groups.filter((group) => isWanted.has(group.AutoScalingGroupName));
}

async function describePages(
  client: AutoScalingClient,
  which: Pick<DescribeAutoScalingGroupsCommandInput, 'Filters' | 'AutoScalingGroupNames'>,
): Promise<readonly RawGroup[]> {
  const groups: RawGroup[] = [];
  let token: string | undefined;
  do {
    const command = new DescribeAutoScalingGroupsCommand({
      ...which,
      MaxRecords: pageSize,
      ...(token !== undefined && { NextToken: token }),
    });
    const answer = await calling('DescribeAutoScalingGroups', () => client.send(command));
    groups.push(...(answer.AutoScalingGroups ?? []));
    token = answer.NextToken || undefined;
  } while (token !== undefined);
  return groups;
}
