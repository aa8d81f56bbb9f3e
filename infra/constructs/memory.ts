import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyDocument } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { refusePlain } from './statements.ts';

/** One table for all that must outlive an invocation. Its id is a contract: another would replace the table. */
export const createTable = (scope: Construct, removalPolicy: RemovalPolicy): Table =>
  new Table(scope, 'Table', {
    partitionKey: { name: 'pk', type: AttributeType.STRING },
    sortKey: { name: 'sk', type: AttributeType.STRING },
    billingMode: BillingMode.PAY_PER_REQUEST,
    encryption: TableEncryption.AWS_MANAGED,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    timeToLiveAttribute: 'expiresAt',
    // DynamoDB's endpoints answer plain HTTP too ("Amazon DynamoDB endpoints and quotas", AWS General Reference).
    resourcePolicy: new PolicyDocument({ statements: [refusePlain('dynamodb:*')] }),
    deletionProtection: removalPolicy !== RemovalPolicy.DESTROY,
    removalPolicy,
  });

/** Decisions with all that they were made from, under `decisions/`. */
export const createDecisions = (
  scope: Construct,
  removalPolicy: RemovalPolicy,
  retention: Duration,
): Bucket => {
  const bucket = new Bucket(scope, 'Decisions', {
    encryption: BucketEncryption.S3_MANAGED,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    enforceSSL: true,
    versioned: true,
    lifecycleRules: [
      {
        expiration: retention,
        noncurrentVersionExpiration: Duration.days(7),
        abortIncompleteMultipartUploadAfter: Duration.days(1),
      },
    ],
    removalPolicy,
  });
  Validations.of(bucket).acknowledge({
    id: 'AwsSolutions-S1',
    reason:
      'Only the functions write it and people read it, each record once; CloudTrail data events tell more than server access logs where somebody needs them.',
  });
  return bucket;
};
