import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { EventBus } from 'aws-cdk-lib/aws-events';
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Asset } from 'aws-cdk-lib/aws-s3-assets';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';

/*
 * Single grants, written out by hand, since the constructs' own `grant` methods give whole families of
 * actions. test/e2e/pipeline/iam.test.ts holds each against the calls of a run.
 */

export const allow = (
  sid: string,
  actions: readonly string[],
  resources: readonly string[],
): PolicyStatement =>
  new PolicyStatement({
    sid,
    effect: Effect.ALLOW,
    actions: [...actions],
    resources: [...resources],
  });

export const writeLog = (logGroup: ILogGroup): PolicyStatement =>
  allow('Log', ['logs:CreateLogStream', 'logs:PutLogEvents'], [logGroup.logGroupArn]);

export const readConfigurationObject = ({ bucket, s3ObjectKey }: Asset): PolicyStatement =>
  allow('ReadConfiguration', ['s3:GetObject'], [bucket.arnForObjects(s3ObjectKey)]);

/**
 * What Lambda's poller does with the function's role. `giveBack` lets the function itself set when a message
 * comes again. Source: "Permissions for the Amazon SQS event source", AWS Lambda developer guide.
 */
export const receive = (
  queue: IQueue,
  { giveBack }: { readonly giveBack: boolean },
): PolicyStatement =>
  allow(
    'Receive',
    [
      'sqs:ReceiveMessage',
      'sqs:DeleteMessage',
      'sqs:GetQueueAttributes',
      ...(giveBack ? ['sqs:ChangeMessageVisibility'] : []),
    ],
    [queue.queueArn],
  );

export const remember = (table: Table): PolicyStatement =>
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
    [table.tableArn],
  );

/** Decisions are written by looks and read by people, who have rights of their own. */
export const keepDecisions = (decisions: Bucket): PolicyStatement =>
  allow('KeepDecisions', ['s3:PutObject'], [decisions.arnForObjects('decisions/*')]);

/** `key` is the topic's: whoever publishes to an encrypted topic must be able to use it. */
export const page = (topic: ITopic, key: IKey): readonly PolicyStatement[] => [
  allow('Page', ['sns:Publish'], [topic.topicArn]),
  allow('EncryptPages', ['kms:GenerateDataKey', 'kms:Decrypt'], [key.keyArn]),
];

/** Events of these sources and detail types alone. */
export const putEvents = (
  bus: EventBus,
  only: { readonly sources: readonly string[]; readonly detailTypes: readonly string[] },
): PolicyStatement =>
  new PolicyStatement({
    sid: 'PutEvents',
    actions: ['events:PutEvents'],
    resources: [bus.eventBusArn],
    // Both keys can hold several values, and "for all values" holds of none too: hence the second condition.
    conditions: {
      'ForAllValues:StringEquals': {
        'events:source': [...only.sources],
        'events:detail-type': [...only.detailTypes],
      },
      Null: { 'events:source': 'false', 'events:detail-type': 'false' },
    },
  });

/** For a resource's own policy: nobody, whatever they may do, without TLS. */
export const refusePlain = (action: string): PolicyStatement =>
  new PolicyStatement({
    sid: 'TlsOnly',
    effect: Effect.DENY,
    principals: [new AnyPrincipal()],
    actions: [action],
    resources: ['*'],
    conditions: { Bool: { 'aws:SecureTransport': 'false' } },
  });

/** None of these has resources that a policy could name (Service Authorization Reference). */
export const readAnywhere = (sid: string, actions: readonly string[]): PolicyStatement =>
  allow(sid, actions, ['*']);

/** List prices are the same in every account: our own is enough. */
export const priceReads: readonly string[] = ['pricing:GetProducts'];

/** What a look reads of a cluster's account; the same in another account, by the role there. */
export const nodeGroupReads: readonly string[] = [
  'autoscaling:DescribeAutoScalingGroups',
  'autoscaling:DescribeAutoScalingInstances',
  'autoscaling:DescribeScalingActivities',
  'ec2:DescribeImages',
  'ec2:DescribeInstanceTypes',
  'ec2:DescribeLaunchTemplateVersions',
  'ec2:DescribeSpotPriceHistory',
  'ec2:GetInstanceTypesFromInstanceRequirements',
];
