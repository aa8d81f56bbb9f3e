import { Stack, Validations } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { Effect, PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Bucket, CfnBucket } from 'aws-cdk-lib/aws-s3';
import type { Asset } from 'aws-cdk-lib/aws-s3-assets';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { ClusterConfiguration } from '#config/configuration.ts';

export interface ScaleUpResources {
  readonly table: Table;
  readonly decisions: Bucket;
  readonly configuration: Asset;
  readonly deadLetters: IQueue;
  readonly logGroup: ILogGroup;
  /** The clusters of the function's network. */
  readonly clusters: readonly ClusterConfiguration[];
}

/** Whether anything of the cluster may be acted on; the mode can be given per group as well. */
export const acts = ({ policy }: ClusterConfiguration): boolean =>
  policy.mode === 'act' || policy.groups.some(({ mode }) => mode === 'act');

const allow = (sid: string, actions: readonly string[], resources: readonly string[]) =>
  new PolicyStatement({
    sid,
    effect: Effect.ALLOW,
    actions: [...actions],
    resources: [...resources],
  });

/**
 * All that `scale-up` may do, and nothing else: written out by hand, since the constructs' own `grant`
 * methods give whole families of actions.
 */
export const scaleUpStatements = (
  stack: Stack,
  resources: ScaleUpResources,
): readonly PolicyStatement[] => [
  allow('Log', ['logs:CreateLogStream', 'logs:PutLogEvents'], [resources.logGroup.logGroupArn]),
  allow(
    'Remember',
    [
      'dynamodb:GetItem',
      'dynamodb:PutItem',
      'dynamodb:UpdateItem',
      'dynamodb:DeleteItem',
      'dynamodb:ConditionCheckItem',
      'dynamodb:Query',
    ],
    [resources.table.tableArn],
  ),
  allow(
    'KeepDecisions',
    ['s3:GetObject', 's3:PutObject'],
    [resources.decisions.arnForObjects('decisions/*')],
  ),
  allow(
    'ReadConfiguration',
    ['s3:GetObject'],
    [resources.configuration.bucket.arnForObjects(resources.configuration.s3ObjectKey)],
  ),
  allow('RecordDeadLetters', ['sqs:SendMessage'], [resources.deadLetters.queueArn]),
  allow(
    'ReadNodeGroups',
    [
      'autoscaling:DescribeAutoScalingGroups',
      'ec2:DescribeLaunchTemplateVersions',
      'ec2:DescribeInstanceTypes',
    ],
    ['*'],
  ),
  ...readSecrets(stack, resources.clusters),
  ...resources.clusters.filter(acts).map((cluster) => raiseGroups(stack, cluster)),
];

/** Secrets Manager ends each ARN with a hyphen and six characters of its own. */
const readSecrets = (
  stack: Stack,
  clusters: readonly ClusterConfiguration[],
): readonly PolicyStatement[] => {
  const arns = clusters.map(({ apiSecret }) =>
    stack.formatArn({
      service: 'secretsmanager',
      resource: `secret:${apiSecret}-??????`,
    }),
  );
  return arns.length === 0
    ? []
    : [allow('ReachClusters', ['secretsmanager:GetSecretValue'], [...new Set(arns)])];
};

/**
 * Groups are found by tag while running, so their names are not known here; the same tags are the
 * condition. Source: "Actions, resources, and condition keys for Amazon EC2 Auto Scaling", Service
 * Authorization Reference (autoscaling:ResourceTag on autoScalingGroup).
 */
const raiseGroups = (stack: Stack, cluster: ClusterConfiguration): PolicyStatement => {
  const statement = new PolicyStatement({
    effect: Effect.ALLOW,
    actions: ['autoscaling:SetDesiredCapacity'],
    resources: [
      stack.formatArn({
        service: 'autoscaling',
        resource: 'autoScalingGroup:*:autoScalingGroupName/*',
      }),
    ],
  });
  for (const [key, value] of Object.entries(cluster.discoveryTags)) {
    const tag = `autoscaling:ResourceTag/${key}`;
    if (value === '') statement.addCondition('Null', { [tag]: 'false' });
    else statement.addCondition('StringEquals', { [tag]: value });
  }
  return statement;
};

/** The wildcards above, each with the reason why AWS leaves no narrower way; any other is an error. */
export const acknowledgeWildcards = (role: Role, decisions: Bucket): void => {
  const bucket = Stack.of(role).getLogicalId(decisions.node.defaultChild as CfnBucket);
  Validations.of(role).acknowledge(
    {
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason:
        'DescribeAutoScalingGroups, DescribeLaunchTemplateVersions, DescribeInstanceTypes and the network interface calls of functions in a VPC have no resource-level permissions.',
    },
    {
      id: `AwsSolutions-IAM5[Resource::<${bucket}.Arn>/decisions/*]`,
      reason: 'One object per decision, named when it is taken; the prefix holds nothing else.',
    },
    {
      id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:autoscaling:<AWS::Region>:<AWS::AccountId>:autoScalingGroup:*:autoScalingGroupName/*]',
      reason:
        'Groups are discovered by tag while running; the statement is conditioned on the same tags.',
    },
  );
};
