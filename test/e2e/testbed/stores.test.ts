import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import {
  CreateBucketCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import {
  CreateSecretCommand,
  GetSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AwsEmulator, startAwsEmulator } from '../../testbed/aws-emulator.ts';
import { withoutTestbed } from '../../testbed/loud-skip.ts';
import '../../helpers/own-temporary-folder.ts';

describe.skipIf(await withoutTestbed())('queues and stores of the test bed’s AWS', () => {
  let emulator: AwsEmulator;
  const clients: { destroy(): void }[] = [];
  const open = <T extends { destroy(): void }>(client: T): T => {
    clients.push(client);
    return client;
  };

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'outrider-emulator-'));
    emulator = await startAwsEmulator({ folder, progress: () => undefined });
  });
  afterAll(async () => {
    for (const client of clients) client.destroy();
    await emulator?.stop();
  });

  it('refuses conditional writes whose condition fails, alone and in a transaction', async () => {
    const dynamo = open(new DynamoDBClient(emulator.clientConfig));
    await dynamo.send(
      new CreateTableCommand({
        TableName: 'things',
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        BillingMode: 'PAY_PER_REQUEST',
      }),
    );
    const put = (pk: string, fence: number) => ({
      TableName: 'things',
      Item: { pk: { S: pk }, fence: { N: `${fence}` } },
      ConditionExpression: 'attribute_not_exists(pk) OR fence < :fence',
      ExpressionAttributeValues: { ':fence': { N: `${fence}` } },
    });
    await dynamo.send(new PutItemCommand(put('lease', 2)));
    await expect(dynamo.send(new PutItemCommand(put('lease', 1)))).rejects.toMatchObject({
      name: 'ConditionalCheckFailedException',
    });
    const both = new TransactWriteItemsCommand({
      TransactItems: [{ Put: put('other', 1) }, { Put: put('lease', 1) }],
    });
    await expect(dynamo.send(both)).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }],
    });
    const other = new GetItemCommand({ TableName: 'things', Key: { pk: { S: 'other' } } });
    expect((await dynamo.send(other)).Item).toBeUndefined();
  });

  it('shows a message again once its visibility is given up', async () => {
    const sqs = open(new SQSClient(emulator.clientConfig));
    const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: 'q' }));
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'hint' }));
    const receive = async () => (await sqs.send(new ReceiveMessageCommand({ QueueUrl }))).Messages;
    const [message] = (await receive()) ?? [];
    expect(message?.Body).toBe('hint');
    expect((await receive()) ?? []).toEqual([]);
    const ReceiptHandle = message?.ReceiptHandle;
    await sqs.send(
      new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }),
    );
    expect(await receive()).toHaveLength(1);
  });

  it('keeps objects and secrets', async () => {
    const s3 = open(new S3Client(emulator.clientConfig));
    await s3.send(new CreateBucketCommand({ Bucket: 'decisions' }));
    const object = { Bucket: 'decisions', Key: 'demo/1.json' };
    await s3.send(new PutObjectCommand({ ...object, Body: '{"a":1}' }));
    const { Body } = await s3.send(new GetObjectCommand(object));
    expect(await Body?.transformToString()).toBe('{"a":1}');

    const secrets = open(new SecretsManagerClient(emulator.clientConfig));
    await secrets.send(new CreateSecretCommand({ Name: 'outrider/x', SecretString: 'token' }));
    const { SecretString } = await secrets.send(
      new GetSecretValueCommand({ SecretId: 'outrider/x' }),
    );
    expect(SecretString).toBe('token');
    const calls = await emulator.control.calls({ service: 'secretsmanager' });
    expect(JSON.stringify(calls)).not.toContain('token');
  });
});
