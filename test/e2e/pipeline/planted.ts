import { gunzipSync } from 'node:zlib';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { AwsEmulator } from '../../testbed/aws-emulator.ts';

/** Everything that Outrider wrote somewhere, as text, by where it was found. */
export type Written = ReadonlyMap<string, string>;

/** Every object of a bucket, unpacked. */
export const objectsOf = async (
  { clientConfig }: AwsEmulator,
  bucket: string,
): Promise<Written> => {
  const s3 = new S3Client({ ...clientConfig, forcePathStyle: true });
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: bucket }));
  const read = async (key: string): Promise<string> => {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    const bytes = Buffer.from((await Body?.transformToByteArray()) ?? []);
    return (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString();
  };
  const found = await Promise.all(
    Contents.map(async ({ Key = '' }) => [`s3 ${Key}`, await read(Key)] as const),
  );
  s3.destroy();
  return new Map(found);
};

/** Every item of the table. */
export const itemsOf = async ({ clientConfig }: AwsEmulator, table: string): Promise<Written> => {
  const dynamodb = new DynamoDBClient(clientConfig);
  const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName: table }));
  dynamodb.destroy();
  return new Map(
    Items.map((item) => [`item ${item.pk?.S} ${item.sk?.S}`, unpacked(JSON.stringify(item), item)]),
  );
};

/** Items may hold packed JSON. */
const unpacked = (text: string, item: object): string =>
  Object.values(item).reduce((all: string, value: { readonly B?: Uint8Array }) => {
    if (value.B === undefined) return all;
    const bytes = Buffer.from(value.B);
    return all + (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString();
  }, text);

/** What waits in queues, with its attributes. */
export const messagesOf = async (
  { clientConfig }: AwsEmulator,
  queueUrls: readonly string[],
): Promise<Written> => {
  const sqs = new SQSClient(clientConfig);
  const all = new Map<string, string>();
  for (const QueueUrl of queueUrls) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: 10,
        MessageAttributeNames: ['All'],
      }),
    );
    for (const message of Messages) {
      all.set(`message ${message.MessageId} of ${QueueUrl}`, JSON.stringify(message));
    }
  }
  sqs.destroy();
  return all;
};

/** What the functions logged. */
export const logsOf = async (emulator: AwsEmulator): Promise<Written> => {
  const ask = async <T>(action: string, body: object): Promise<T> => {
    const { region, credentials } = emulator.clientConfig;
    const answer = await fetch(emulator.endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': `Logs_20140328.${action}`,
        // The emulator takes the account's own key at its word.
        authorization: `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/20260101/${region}/logs/aws4_request, SignedHeaders=host, Signature=none`,
      },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${action}: ${answer.status} ${text}`);
    return JSON.parse(text) as T;
  };
  const { logGroups } = await ask<{ readonly logGroups: readonly { logGroupName: string }[] }>(
    'DescribeLogGroups',
    {},
  );
  const all = new Map<string, string>();
  for (const { logGroupName } of logGroups) {
    const { events } = await ask<{ readonly events: readonly { message: string }[] }>(
      'FilterLogEvents',
      { logGroupName },
    );
    all.set(`log ${logGroupName}`, events.map(({ message }) => message).join('\n'));
  }
  return all;
};

/** Where a planted secret is found: `secret name in place`. */
export const leaks = (
  written: Written,
  planted: Readonly<Record<string, string>>,
): readonly string[] =>
  [...written].flatMap(([place, text]) =>
    Object.entries(planted).flatMap(([name, secret]) =>
      text.includes(secret) ? [`${name} in ${place}`] : [],
    ),
  );
