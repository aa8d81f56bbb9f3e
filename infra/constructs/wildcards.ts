import { Stack, Validations } from 'aws-cdk-lib';
import type { Role } from 'aws-cdk-lib/aws-iam';
import type { Bucket, CfnBucket } from 'aws-cdk-lib/aws-s3';

/*
 * The wildcards in roles, each with the reason why AWS leaves no narrower way; any other is an error of
 * cdk-nag.
 */

/** Calls that Amazon has no resources for. */
export const acknowledgeReads = (role: Role): void =>
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason:
      'The Describe calls of Auto Scaling and EC2, the price list and the network interface calls of functions in a VPC have no resource-level permissions.',
  });

export const acknowledgeRaises = (role: Role): void =>
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:autoscaling:<AWS::Region>:<AWS::AccountId>:autoScalingGroup:*:autoScalingGroupName/*]',
    reason:
      'Groups are discovered by tag while running; the statement is conditioned on the same tags.',
  });

export const acknowledgeDecisions = (role: Role, decisions: Bucket): void => {
  const bucket = Stack.of(role).getLogicalId(decisions.node.defaultChild as CfnBucket);
  Validations.of(role).acknowledge({
    id: `AwsSolutions-IAM5[Resource::<${bucket}.Arn>/decisions/*]`,
    reason: 'One object per decision, named when it is taken; the prefix holds nothing else.',
  });
};

/** @param folders as the statements have them: `outrider/main/*`. */
export const acknowledgeSecretFolders = (role: Role, folders: readonly string[]): void => {
  for (const folder of folders) {
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:secretsmanager:<AWS::Region>:<AWS::AccountId>:secret:${folder}]`,
      reason:
        'The names of so many secrets do not fit into one role; the folder is said in a warning.',
    });
  }
};
