import { setOwn } from '#cluster/own-record.ts';
import type { Problem } from '#cluster/problem.ts';
import { isQuantityError, parseQuantity, resourceAmount } from '#cluster/quantity.ts';
import type { Resources } from '#cluster/resources.ts';
import type { AutoScalingGroup } from '../aws-views.ts';
import { groupPolicyOf } from '../group-policy.ts';
import type { Headroom, ScalingPolicy } from '../policy.ts';

const nodesTag = 'outrider.dev/headroom-nodes';
const podsTag = 'outrider.dev/headroom-pods';

export interface ReadHeadroom {
  /** Absent: none is kept. */
  readonly headroom?: Headroom;
  readonly problems: readonly Problem[];
}

type TaggedGroup = Pick<AutoScalingGroup, 'name' | 'tags'>;

/**
 * What is kept free in a group: by its tags `outrider.dev/headroom-nodes` (`2`) and `outrider.dev/headroom-pods`
 * (`5 cpu=500m memory=1Gi`), each above what the policy says. A tag that cannot be read is a problem and says nothing.
 */
export const headroomOf = (policy: ScalingPolicy, group: TaggedGroup): ReadHeadroom => {
  const problems: Problem[] = [];
  const tag = <T>(key: string, read: (text: string) => T | undefined, remedy: string) => {
    const text = group.tags[key];
    if (text === undefined) return undefined;
    const value = read(text);
    if (value === undefined) {
      problems.push({
        field: `AutoScalingGroups[${group.name}].Tags[${key}]`,
        code: 'malformedHeadroomTag',
        message: `tag ${key} of group ${group.name} is ${JSON.stringify(text)} and is left out; write ${remedy}`,
      });
    }
    return value;
  };
  const nodes = tag(nodesTag, countOf, 'a whole number up to 1000, such as 2');
  const pods = tag(podsTag, podsOf, 'a count and what one asks for, such as 5 cpu=500m memory=1Gi');
  const headroom: Headroom = {
    ...groupPolicyOf(policy, group.name)?.headroom,
    ...(nodes === undefined ? {} : { nodes }),
    ...(pods === undefined ? {} : { pods }),
  };
  const isAsked = (headroom.nodes ?? 0) > 0 || (headroom.pods?.count ?? 0) > 0;
  return { problems, ...(isAsked ? { headroom } : {}) };
};

const countOf = (text: string): number | undefined =>
  /^[0-9]{1,4}$/.test(text) && Number(text) <= 1000 ? Number(text) : undefined;

const podsOf = (text: string): Headroom['pods'] => {
  const [first = '', ...parts] = text.trim().split(/\s+/);
  const count = countOf(first);
  const requests = requestsOf(parts);
  return count === undefined || requests === undefined ? undefined : { count, requests };
};

const requestsOf = (parts: readonly string[]): Resources | undefined => {
  const requests: Record<string, number> = {};
  for (const part of parts) {
    const [, name, amount] = /^([^=]+)=(.+)$/.exec(part) ?? [];
    if (name === undefined || amount === undefined) return undefined;
    const quantity = parseQuantity(amount);
    if (isQuantityError(quantity) || quantity.nano < 0n) return undefined;
    setOwn(requests, name, resourceAmount(name, quantity));
  }
  return parts.length === 0 ? undefined : requests;
};
