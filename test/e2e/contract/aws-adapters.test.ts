import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EC2Client } from '@aws-sdk/client-ec2';
import {
  CreateEventBusCommand,
  EventBridgeClient,
  PutRuleCommand,
  PutTargetsCommand,
} from '@aws-sdk/client-eventbridge';
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { autoScalingNodeGroups } from '#adapters/aws/auto-scaling-node-groups.ts';
import { singleAttempt } from '#adapters/aws/client-options.ts';
import { dynamodbCapacityLedger } from '#adapters/aws/dynamodb-capacity-ledger.ts';
import { dynamodbClusterLeases } from '#adapters/aws/dynamodb-cluster-leases.ts';
import { dynamodbJournal } from '#adapters/aws/dynamodb-journal.ts';
import { putHint } from '#adapters/aws/eventbridge-hints.ts';
import { readS3Configuration } from '#adapters/aws/s3-configuration.ts';
import { readApiAccessSecret } from '#adapters/aws/secrets-manager-api-access.ts';
import { sqsDeadLetters } from '#adapters/aws/sqs-dead-letters.ts';
import type { DeadLetter } from '#ports/dead-letters.ts';
import { defaultDiscoveryTags } from '#scaling/discovery.ts';
import { describeCapacityLedgerContract } from '../../contract/capacity-ledger-contract.ts';
import {
  describeClusterLeasesContract,
  freshCluster,
} from '../../contract/cluster-leases-contract.ts';
import { describeDeadLettersContract } from '../../contract/dead-letters-contract.ts';
import { describeJournalContract } from '../../contract/journal-contract.ts';
import { describeNodeGroupsContract } from '../../contract/node-groups-contract.ts';
import { type AwsEmulator, startAwsEmulator } from '../../testbed/aws-emulator.ts';
import { makeNodeGroup, type NodeGroupSettings } from '../../testbed/node-group.ts';
import { testbedAvailable } from '../../testbed/testbed.ts';

const unavailable = await testbedAvailable();
const table = 'outrider-contract';
const bucket = 'outrider-contract';
let emulator: AwsEmulator;
let names = 0;
const freshName = (kind: string): string => `${kind}-${++names}`;

const made = <Client>(make: new (config: AwsEmulator['clientConfig']) => Client): Client =>
  new make(emulator.clientConfig);

const makeGroup = async (settings: Partial<NodeGroupSettings> = {}) => {
  const group = {
    name: freshName('group'),
    cluster: freshName('cluster'),
    instanceType: 'm5.large',
  };
  await makeNodeGroup(emulator, { min: 1, max: 5, desired: 1, ...group, ...settings });
  const nodeGroups = autoScalingNodeGroups({
    autoScaling: made(AutoScalingClient),
    raising: new AutoScalingClient({ ...emulator.clientConfig, ...singleAttempt }),
    ec2: made(EC2Client),
    discoveryTags: defaultDiscoveryTags(settings.cluster ?? group.cluster),
  });
  return { nodeGroups, group: settings.name ?? group.name, instanceType: group.instanceType };
};

const makeQueue = async (): Promise<string> => {
  const answer = await made(SQSClient).send(
    new CreateQueueCommand({ QueueName: freshName('queue') }),
  );
  return answer.QueueUrl ?? '';
};

const receiveAll = async (queueUrl: string) => {
  const messages = [];
  for (;;) {
    const command = new ReceiveMessageCommand({
      QueueUrl: queueUrl,
      MaxNumberOfMessages: 10,
      MessageAttributeNames: ['All'],
      VisibilityTimeout: 600,
    });
    const { Messages = [] } = await made(SQSClient).send(command);
    if (Messages.length === 0) return messages;
    messages.push(...Messages);
  }
};

describe.skipIf(unavailable !== undefined)(
  `AWS adapters${unavailable ? ` (${unavailable})` : ''}`,
  () => {
    beforeAll(async () => {
      const folder = mkdtempSync(join(tmpdir(), 'outrider-contract-'));
      emulator = await startAwsEmulator({ folder, progress: () => {} });
      await made(DynamoDBClient).send(
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
      );
      await made(S3Client).send(new CreateBucketCommand({ Bucket: bucket }));
    });
    afterAll(async () => {
      await emulator?.stop();
    });

    describeClusterLeasesContract('DynamoDB', () =>
      dynamodbClusterLeases(made(DynamoDBClient), table),
    );

    describeCapacityLedgerContract('DynamoDB', () => {
      const client = made(DynamoDBClient);
      const leases = dynamodbClusterLeases(client, table);
      return { leases, ledger: dynamodbCapacityLedger(client, table) };
    });

    describeJournalContract('DynamoDB and S3', () => {
      const dynamodb = made(DynamoDBClient);
      const leases = dynamodbClusterLeases(dynamodb, table);
      return { leases, journal: dynamodbJournal({ dynamodb, table, s3: made(S3Client), bucket }) };
    });

    describeDeadLettersContract('SQS', async () => {
      const queueUrl = await makeQueue();
      return {
        deadLetters: sqsDeadLetters(made(SQSClient), queueUrl),
        letters: async () =>
          (await receiveAll(queueUrl)).map(
            ({ Body: body = '', MessageAttributes: attributes }): DeadLetter => ({
              body,
              code: attributes?.code?.StringValue ?? '',
              message: attributes?.message?.StringValue ?? '',
            }),
          ),
      };
    });

    describeNodeGroupsContract('Auto Scaling', () => makeGroup());

    describe('Auto Scaling node groups', () => {
      it('finds its own groups among those of other clusters', async () => {
        const cluster = freshName('cluster');
        const mine = await makeGroup({ cluster, name: freshName('b') });
        const also = await makeGroup({ cluster, name: freshName('a') });
        await makeGroup();
        const { view } = await mine.nodeGroups.discover();
        expect(view.groups.map(({ name }) => name)).toEqual([also.group, mine.group]);
        expect(view.region).toBe('us-east-1');
      });

      it('asks for instance types once, and for groups each time', async () => {
        const { nodeGroups } = await makeGroup();
        await nodeGroups.discover();
        await emulator.control.forgetCalls();
        await nodeGroups.discover();
        const actions = (await emulator.control.calls()).map(({ action }) => action);
        expect(actions).toEqual(['DescribeAutoScalingGroups', 'DescribeLaunchTemplateVersions']);
      });

      it('tells of a type that does not exist and goes on with the others', async () => {
        const cluster = freshName('cluster');
        const { nodeGroups } = await makeGroup({ cluster });
        await makeGroup({ cluster, instanceType: 'm5.imaginary' });
        const { view, problems } = await nodeGroups.discover();
        expect(view.groups).toHaveLength(2);
        expect(view.instanceTypes.map(({ name }) => name)).toEqual(['m5.large']);
        expect(problems).toMatchObject([{ code: 'unknownInstanceType' }]);
        expect(problems[0]?.message).toContain('m5.imaginary');
      });

      it('sends a raise once, so that it is never repeated over another one', async () => {
        const { nodeGroups, group } = await makeGroup();
        const sinceMs = Date.now();
        await emulator.control.inject({
          service: 'autoscaling',
          action: 'SetDesiredCapacity',
          code: 'Throttling',
        });
        await expect(nodeGroups.setDesiredCapacity(group, 2)).rejects.toMatchObject({
          code: 'throttled',
        });
        const calls = await emulator.control.calls({ action: 'SetDesiredCapacity', sinceMs });
        expect(calls).toHaveLength(1);
      });

      it('fails the look where AWS goes on throttling, since unknown is not gone', async () => {
        const { nodeGroups } = await makeGroup();
        const fault = { service: 'ec2', action: 'DescribeLaunchTemplateVersions' };
        await emulator.control.inject({ ...fault, code: 'RequestLimitExceeded', times: 10 });
        try {
          await expect(nodeGroups.discover()).rejects.toMatchObject({ code: 'throttled' });
        } finally {
          await emulator.control.clearFaults();
        }
      });
    });

    it('reads configuration as it was written, and says where it looked for what is not there', async () => {
      const client = made(S3Client);
      const place = { bucket, key: 'outrider.yaml' };
      await client.send(
        new PutObjectCommand({ Bucket: bucket, Key: place.key, Body: 'clusters: [] # ü' }),
      );
      expect(await readS3Configuration(client, place)).toBe('clusters: [] # ü');
      const missing = readS3Configuration(client, { bucket, key: 'other.yaml' });
      await expect(missing).rejects.toMatchObject({
        code: 'notFound',
        message: expect.stringContaining(`s3://${bucket}/other.yaml`),
      });
    });

    it('reads API access from a secret, and repeats nothing of a secret it cannot read', async () => {
      const client = made(SecretsManagerClient);
      const create = (name: string, value: string) =>
        client.send(new CreateSecretCommand({ Name: name, SecretString: value }));
      await create('not-json', 'hunter2 {');
      await create(
        'plain-http',
        JSON.stringify({ server: 'http://10.0.0.1', ca: 'x', token: 'y' }),
      );
      const notJson = readApiAccessSecret(client, 'not-json');
      await expect(notJson).rejects.toMatchObject({ code: 'invalid' });
      await expect(notJson).rejects.not.toMatchObject({
        message: expect.stringContaining('hunter2'),
      });
      await expect(readApiAccessSecret(client, 'plain-http')).rejects.toThrow(
        /plain-http: "server"/,
      );
      await expect(readApiAccessSecret(client, 'missing')).rejects.toMatchObject({
        code: 'notFound',
      });
    });

    it('puts hints on the bus that a rule on source and network finds', async () => {
      const events = made(EventBridgeClient);
      const sqs = made(SQSClient);
      const bus = freshName('bus');
      const queueUrl = await makeQueue();
      const attributes = await sqs.send(
        new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['QueueArn'] }),
      );
      const queueArn = attributes.Attributes?.QueueArn ?? '';
      const statement = {
        Effect: 'Allow',
        Principal: { Service: 'events.amazonaws.com' },
        Action: 'sqs:SendMessage',
        Resource: queueArn,
      };
      const policy = JSON.stringify({ Version: '2012-10-17', Statement: [statement] });
      await sqs.send(
        new SetQueueAttributesCommand({ QueueUrl: queueUrl, Attributes: { Policy: policy } }),
      );
      await events.send(new CreateEventBusCommand({ Name: bus }));
      const pattern = { source: [{ prefix: 'outrider.cluster.' }], detail: { network: ['main'] } };
      await events.send(
        new PutRuleCommand({
          Name: 'hints',
          EventBusName: bus,
          EventPattern: JSON.stringify(pattern),
        }),
      );
      const target = { Id: 'queue', Arn: queueArn };
      await events.send(
        new PutTargetsCommand({ Rule: 'hints', EventBusName: bus, Targets: [target] }),
      );
      const cluster = freshCluster();
      const source = {
        bus,
        source: `outrider.cluster.${cluster}`,
        detailType: 'Pod Pending',
      };
      const pod = { namespace: 'default', name: 'web-1', uid: 'u-1' };
      await putHint(events, source, { cluster, network: 'main', pods: [pod] });
      await expect
        .poll(async () => (await receiveAll(queueUrl)).map(({ Body = '' }) => JSON.parse(Body)), {
          timeout: 10_000,
        })
        .toMatchObject([
          {
            source: source.source,
            'detail-type': 'Pod Pending',
            detail: { cluster, network: 'main', pods: [pod] },
          },
        ]);
    });
  },
);
