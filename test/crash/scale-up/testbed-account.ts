import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EC2Client } from '@aws-sdk/client-ec2';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { CreateTopicCommand, SNSClient } from '@aws-sdk/client-sns';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { autoScalingNodeGroups } from '#adapters/aws/auto-scaling-node-groups.ts';
import { clientOptions, singleAttempt } from '#adapters/aws/client-options.ts';
import { dynamodbCapacityLedger } from '#adapters/aws/dynamodb-capacity-ledger.ts';
import { dynamodbClusterLeases } from '#adapters/aws/dynamodb-cluster-leases.ts';
import { dynamodbJournal } from '#adapters/aws/dynamodb-journal.ts';
import { instanceRequirementsCatalogue } from '#adapters/aws/ec2-instance-requirements.ts';
import { instanceTypeCatalogue } from '#adapters/aws/ec2-instance-types.ts';
import { foreignInstances } from '#adapters/aws/foreign-instances.ts';
import { launchTemplateCatalogue } from '#adapters/aws/launch-template-catalogue.ts';
import { snsPages } from '#adapters/aws/sns-pages.ts';
import { sqsWakeups } from '#adapters/aws/sqs-wakeups.ts';
import { memoryMetrics } from '#adapters/memory/memory-metrics.ts';
import { lookEventOf } from '#operations/own-events.ts';
import type { ScaleUpPorts } from '#operations/scale-up.ts';
import { defaultDiscoveryTags } from '#scaling/discovery.ts';
import type { AwsEmulator } from '../../testbed/aws-emulator.ts';

/** Table, bucket, queue and topic in the emulated account, and the real adapters over them. */
export interface TestbedAccount {
  readonly autoScaling: AutoScalingClient;
  /** The ports of one cluster, but for its API server and its clock. */
  portsOf(cluster: string): Omit<ScaleUpPorts, 'clusterApi' | 'clock'>;
  close(): void;
}

const table = 'outrider-crash';
const bucket = 'outrider-crash';

export const openTestbedAccount = async (emulator: AwsEmulator): Promise<TestbedAccount> => {
  const options = { ...emulator.clientConfig, ...clientOptions };
  const dynamodb = new DynamoDBClient(options);
  const s3 = new S3Client({ ...options, forcePathStyle: true });
  const sqs = new SQSClient(options);
  const sns = new SNSClient(options);
  const ec2 = new EC2Client(options);
  const autoScaling = new AutoScalingClient(options);
  const raising = new AutoScalingClient({ ...options, ...singleAttempt });
  const [{ QueueUrl = '' }, { TopicArn = '' }] = await Promise.all([
    sqs.send(new CreateQueueCommand({ QueueName: 'outrider-crash' })),
    sns.send(new CreateTopicCommand({ Name: 'outrider-crash' })),
    s3.send(new CreateBucketCommand({ Bucket: bucket })),
    dynamodb.send(
      new CreateTableCommand({
        TableName: table,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [
          { AttributeName: 'pk', AttributeType: 'S' },
          { AttributeName: 'sk', AttributeType: 'S' },
        ],
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
      }),
    ),
  ]);
  const instanceTypes = instanceTypeCatalogue(ec2);
  const launchTemplates = launchTemplateCatalogue(ec2);
  const requirements = instanceRequirementsCatalogue(ec2);
  return {
    autoScaling,
    portsOf: (cluster) => ({
      leases: dynamodbClusterLeases(dynamodb, table),
      ledger: dynamodbCapacityLedger(dynamodb, table),
      journal: dynamodbJournal({ dynamodb, table, s3, bucket }),
      nodeGroups: autoScalingNodeGroups({
        autoScaling,
        raising,
        discoveryTags: defaultDiscoveryTags(cluster),
        instanceTypes,
        launchTemplates,
        requirements,
        foreign: foreignInstances(autoScaling, { discoveryTags: defaultDiscoveryTags(cluster) }),
      }),
      wakeups: sqsWakeups(sqs, QueueUrl, (wakeup) => JSON.stringify(lookEventOf(wakeup))),
      pages: snsPages(sns, TopicArn),
      metrics: memoryMetrics(),
    }),
    close: () => {
      for (const client of [dynamodb, s3, sqs, sns, ec2, autoScaling, raising]) client.destroy();
    },
  };
};
