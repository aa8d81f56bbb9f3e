import { type DynamoDBClient, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { S3Client } from '@aws-sdk/client-s3';
import type { Lease } from '#ports/cluster-leases.ts';
import type { DecisionRecord, DecisionSummary, Journal, JournalHead } from '#ports/journal.ts';
import { PortError } from '#ports/port-error.ts';
import { calling } from './aws-error.ts';
import { fencedWrite } from './dynamodb-fenced-write.ts';
import {
  clusterKey,
  decisionPrefix,
  headSortKey,
  type Item,
  number,
  padGeneration,
  readText,
  text,
} from './dynamodb-keys.ts';
import { packHead, unpackHead } from './journal-head-item.ts';
import { s3DecisionArchive } from './s3-decision-archive.ts';

/** Where the journal is kept. */
export interface JournalStore {
  readonly dynamodb: DynamoDBClient;
  readonly table: string;
  readonly s3: S3Client;
  readonly bucket: string;
}

/** Seconds that a summary is kept (the table's TTL): longer than any object that it may point to. */
const summarySeconds = 400 * 24 * 3600;

/**
 * Summaries in DynamoDB, input and decision in S3. The object is written first and the summary, with
 * the head, in one transaction after it: a summary always has its object, and a record cut off half way
 * leaves at most an object that nothing points to. The fence is part of the object's name, so that an
 * actor whose lease has passed to another cannot write over what the other recorded.
 */
export function dynamodbJournal(store: JournalStore): Journal {
  const { dynamodb: client, table } = store;
  const archive = s3DecisionArchive(store.s3, store.bucket);
  const putHead = async (lease: Lease, head: JournalHead) => ({
    Put: {
      TableName: table,
      Item: { ...clusterKey(lease.cluster, headSortKey), ...(await packHead(head)) },
    },
  });

  return {
    async head(cluster) {
      const item = await getItem(store, clusterKey(cluster, headSortKey));
      return item && (await unpackHead(item));
    },

    async record(lease, record, head) {
      const { input, decision, problems, ...summary } = record;
      const { cluster, generation } = parseId(record.id);
      if (cluster !== lease.cluster) {
        throw new PortError('invalid', `Decision ${record.id} under a lease of ${lease.cluster}.`);
      }
      const padded = padGeneration(generation);
      const object = `decisions/${cluster}/${padded}-${lease.fence}.json.gz`;
      await archive.put(object, { input, decision, problems });
      const put = {
        TableName: table,
        Item: {
          ...clusterKey(cluster, decisionPrefix + padded),
          summary: text(JSON.stringify(summary)),
          object: text(object),
          fence: number(lease.fence),
          expiresAt: number(Math.floor(record.atMs / 1000) + summarySeconds),
        },
        // The same holder may record again what was cut off; no other takes a number already used.
        ConditionExpression: 'attribute_not_exists(sk) OR fence = :fence',
        ExpressionAttributeValues: { ':fence': number(lease.fence) },
      };
      await fencedWrite({ client, table }, lease, [{ Put: put }, await putHead(lease, head)]);
    },

    async writeHead(lease, head) {
      await fencedWrite({ client, table }, lease, [await putHead(lease, head)]);
    },

    async list(cluster, limit) {
      const summaries: DecisionSummary[] = [];
      let from: Item | undefined;
      while (summaries.length < limit) {
        const command = new QueryCommand({
          TableName: table,
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
          ExpressionAttributeValues: {
            ':pk': text(`cluster#${cluster}`),
            ':prefix': text(decisionPrefix),
          },
          ScanIndexForward: false,
          ConsistentRead: true,
          Limit: limit - summaries.length,
          ...(from && { ExclusiveStartKey: from }),
        });
        const answer = await calling(`Query (journal of ${cluster})`, () => client.send(command));
        for (const item of answer.Items ?? []) {
          summaries.push(JSON.parse(readText(item, 'summary')));
        }
        from = answer.LastEvaluatedKey;
        if (!from) break;
      }
      return summaries;
    },

    async read(id): Promise<DecisionRecord> {
      const { cluster, generation } = parseId(id);
      const key = clusterKey(cluster, decisionPrefix + padGeneration(generation));
      const item = await getItem(store, key);
      const summary = item && (JSON.parse(readText(item, 'summary')) as DecisionSummary);
      if (summary?.id !== id) throw new PortError('notFound', `No decision ${id} is journalled.`);
      return { ...summary, ...(await archive.get(readText(item ?? {}, 'object'))) };
    },
  };
}

async function getItem(store: JournalStore, key: Item): Promise<Item | undefined> {
  const command = new GetItemCommand({ TableName: store.table, Key: key, ConsistentRead: true });
  const call = `GetItem (${readText(key, 'pk')} ${readText(key, 'sk')})`;
  return (await calling(call, () => store.dynamodb.send(command))).Item;
}

/** `cluster/scale-up/generation`. */
function parseId(id: string): { readonly cluster: string; readonly generation: number } {
  const parts = /^(.+)\/[a-z-]+\/([0-9]{1,12})$/.exec(id);
  if (!parts?.[1] || !parts[2]) {
    throw new PortError('notFound', `"${id}" names no decision: cluster/scale-up/generation does.`);
  }
  return { cluster: parts[1], generation: Number(parts[2]) };
}
