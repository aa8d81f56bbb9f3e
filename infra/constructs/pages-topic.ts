import type { RemovalPolicy } from 'aws-cdk-lib';
import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';

const alarms = new ServicePrincipal('cloudwatch.amazonaws.com');

/**
 * The one topic of what must wake somebody: pages of looks and every alarm. Encrypted under a key of its own:
 * CloudWatch alarms cannot publish to a topic under the key that AWS manages for SNS, whose policy nobody can
 * change. Source: "Why didn't I receive an SNS notification for my CloudWatch alarm trigger?", AWS re:Post.
 */
export class PagesTopic extends Construct {
  readonly topic: Topic;
  readonly key: Key;

  constructor(scope: Construct, id: string, removalPolicy: RemovalPolicy) {
    super(scope, id);
    this.key = new Key(this, 'Key', {
      description: 'Pages of Outrider.',
      enableKeyRotation: true,
      removalPolicy,
    });
    this.key.addToResourcePolicy(
      new PolicyStatement({
        sid: 'Alarms',
        principals: [alarms],
        actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
        resources: ['*'],
      }),
    );
    this.topic = new Topic(this, 'Topic', {
      displayName: 'Outrider',
      masterKey: this.key,
      enforceSSL: true,
    });
    // A topic with a policy of its own has lost the default one, which lets the account's alarms in.
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        sid: 'Alarms',
        principals: [alarms],
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
  }
}
