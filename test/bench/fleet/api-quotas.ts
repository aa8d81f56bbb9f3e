/*
 * How many calls an account and region takes. EC2 publishes its buckets ("Request throttling for the Amazon
 * EC2 API": each non-mutating action by itself 100 tokens, refilled at 20 a second), and so do Secrets Manager,
 * STS, DynamoDB and S3. Auto Scaling says only that all of its calls draw on one bucket, without figures:
 * what stands here is an assumption, below what is let through in practice.
 */

export type Api =
  | 'autoscaling:DescribeAutoScalingGroups'
  | 'autoscaling:DescribeScalingActivities'
  | 'autoscaling:DescribeAutoScalingInstances'
  | 'autoscaling:SetDesiredCapacity'
  | 'ec2:DescribeLaunchTemplateVersions'
  | 'ec2:DescribeInstanceTypes'
  | 'sts:AssumeRole'
  | 'secretsmanager:GetSecretValue'
  | 'dynamodb:UpdateItem'
  | 'dynamodb:Query'
  | 'dynamodb:GetItem'
  | 'dynamodb:TransactWriteItems'
  | 's3:PutObject'
  | 'sqs:SendMessageBatch'
  | 'sns:Publish'
  | 'kubernetes:list'
  | 'kubernetes:createEvent';

export interface Quota {
  readonly tokens: number;
  readonly perSecond: number;
  readonly published: boolean;
}

/** By what draws on it together: a whole service, or one API of it. Calls of others are not limited here. */
export const quotas: Readonly<Record<string, Quota>> = {
  autoscaling: { tokens: 50, perSecond: 10, published: false },
  'ec2:DescribeLaunchTemplateVersions': { tokens: 100, perSecond: 20, published: true },
  'ec2:DescribeInstanceTypes': { tokens: 100, perSecond: 20, published: true },
  sts: { tokens: 600, perSecond: 600, published: true },
  secretsmanager: { tokens: 5_000, perSecond: 5_000, published: true },
  dynamodb: { tokens: 4_000, perSecond: 4_000, published: true },
  s3: { tokens: 3_500, perSecond: 3_500, published: true },
};

/** The quota that a call draws on: its own, or its service's. */
export const quotaOf = (api: Api): string => {
  const [service = ''] = api.split(':');
  return Object.hasOwn(quotas, api) ? api : service;
};
