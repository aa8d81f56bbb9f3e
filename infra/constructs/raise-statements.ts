import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { ClusterConfiguration } from '#config/configuration.ts';
import { cutBySize, mostOfStatement } from './policy-size.ts';

type Tags = Readonly<Record<string, string>>;

/** Whether anything of the cluster may be acted on; the mode can be given per group as well. */
export const acts = ({ policy }: ClusterConfiguration): boolean =>
  policy.mode === 'act' || policy.groups.some(({ mode }) => mode === 'act');

/**
 * Leave to set the desired capacity of groups by their tags: groups are found by tag while running, so
 * their names are not known here; the same tags are the condition. Clusters whose tags differ in one value
 * only share a statement that lists the values; any other needs one of its own.
 * Source: "Actions, resources, and condition keys for Amazon EC2 Auto Scaling", Service Authorization
 * Reference (autoscaling:ResourceTag on autoScalingGroup).
 */
export const raiseStatements = (
  scope: Construct,
  clusters: readonly Tags[],
): readonly PolicyStatement[] =>
  byKeys(clusters).flatMap((alike) => {
    const varying = soleVaryingKey(alike);
    if (varying === undefined) return alike.map((tags) => raise(scope, tags));
    const values = [...new Set(alike.map((tags) => tags[varying] ?? ''))];
    return cutBySize(values, (value) => value.length + 3, mostOfStatement).map((some) =>
      raise(scope, { ...alike[0], [varying]: some }),
    );
  });

/** Those of them that do not share a statement with others. */
export const unlistable = (clusters: readonly Tags[]): readonly Tags[] =>
  byKeys(clusters).flatMap((alike) => (soleVaryingKey(alike) === undefined ? alike : []));

/** What all of them carry: a wider condition, for where one each does not fit. */
export const commonTags = (clusters: readonly Tags[]): Tags => {
  const [first = {}, ...others] = clusters;
  return Object.fromEntries(
    Object.entries(first).filter(([key, value]) => others.every((tags) => tags[key] === value)),
  );
};

const byKeys = (clusters: readonly Tags[]): readonly (readonly Tags[])[] => {
  const kinds = new Map<string, Tags[]>();
  for (const tags of clusters) {
    const keys = JSON.stringify(
      Object.entries(tags)
        .map(([key, value]) => [key, value === ''])
        .sort(),
    );
    kinds.set(keys, [...(kinds.get(keys) ?? []), tags]);
  }
  return [...kinds.values()];
};

/** The one key whose values tell these clusters apart; `undefined` where there are none or more. */
const soleVaryingKey = (alike: readonly Tags[]): string | undefined => {
  const [first = {}] = alike;
  const varying = Object.keys(first).filter((key) =>
    alike.some((tags) => tags[key] !== first[key]),
  );
  return varying.length === 1 ? varying[0] : undefined;
};

const raise = (
  scope: Construct,
  tags: Readonly<Record<string, string | readonly string[]>>,
): PolicyStatement => {
  const statement = new PolicyStatement({
    actions: ['autoscaling:SetDesiredCapacity'],
    resources: [
      Stack.of(scope).formatArn({
        service: 'autoscaling',
        resource: 'autoScalingGroup:*:autoScalingGroupName/*',
      }),
    ],
  });
  for (const [key, value] of Object.entries(tags)) {
    const tag = `autoscaling:ResourceTag/${key}`;
    if (value === '') statement.addCondition('Null', { [tag]: 'false' });
    else statement.addCondition('StringEquals', { [tag]: value });
  }
  return statement;
};
