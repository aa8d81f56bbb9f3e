import {
  type DynamoDBClient,
  GetItemCommand,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import {
  type ClusterLeases,
  type Lease,
  type LeaseMark,
  type LeaseRequest,
  type LeaseState,
  latestEndMs,
  type Release,
} from '#ports/cluster-leases.ts';
import { PortError } from '#ports/port-error.ts';
import { awsErrorName, calling } from './aws-error.ts';
import { throughContention } from './dynamodb-contention.ts';
import { clusterKey, type Item, leaseSortKey, number, readNumber, text } from './dynamodb-keys.ts';

const isRefused = (error: unknown): boolean =>
  awsErrorName(error) === 'ConditionalCheckFailedException';

/** A holder's transaction is checking the lease in this moment. */
const isContention = (error: unknown): boolean =>
  awsErrorName(error) === 'TransactionConflictException';

/** Changes one lease item. */
const update = (client: DynamoDBClient, call: string, input: UpdateItemCommandInput) =>
  throughContention(
    () => calling(`UpdateItem (${call})`, () => client.send(new UpdateItemCommand(input))),
    isContention,
  );

/**
 * Leases as one item per cluster that is never deleted, so that its fencing number only grows. The time
 * is the caller's: a clock that is wrong by less than the rest of a lease's life does no harm, and one that is
 * wrong by more costs a conflict, since every write checks the fence.
 */
export function dynamodbClusterLeases(client: DynamoDBClient, table: string): ClusterLeases {
  return {
    async acquire(request: LeaseRequest): Promise<Lease | undefined> {
      const expiresAtMs = request.nowMs + request.ttlMs;
      // The owner may take its own lease again: the SDK repeats a call whose answer was lost.
      const input: UpdateItemCommandInput = {
        TableName: table,
        Key: clusterKey(request.cluster, leaseSortKey),
        UpdateExpression:
          'SET #owner = :owner, expiresAtMs = :expires, takenAtMs = :now ADD fence :one',
        ConditionExpression:
          'attribute_not_exists(#owner) OR expiresAtMs <= :now OR expiresAtMs > :latest OR #owner = :owner',
        ExpressionAttributeNames: { '#owner': 'owner' },
        ExpressionAttributeValues: {
          ':owner': text(request.owner),
          ':expires': number(expiresAtMs),
          ':now': number(request.nowMs),
          ':latest': number(latestEndMs(request)),
          ':one': number(1),
        },
        ReturnValues: 'ALL_NEW',
      };
      try {
        const answer = await update(client, `lease of ${request.cluster}`, input);
        const fence = readNumber(answer.Attributes ?? {}, 'fence');
        const marks = marksOf(answer.Attributes);
        return { cluster: request.cluster, owner: request.owner, fence, expiresAtMs, marks };
      } catch (error) {
        // Only a holder's writes check the lease: whoever goes on meeting them has found it held.
        if (isRefused(error) || isContention(error)) return undefined;
        throw error;
      }
    },

    // A mark whose answer was lost is left twice by the SDK: its holder looks again all the same, and where it
    // was the first one, a sweep stands in for the wake-up that nobody sends.
    async mark(cluster: string, nowMs: number): Promise<LeaseMark | undefined> {
      const input: UpdateItemCommandInput = {
        TableName: table,
        Key: clusterKey(cluster, leaseSortKey),
        UpdateExpression: 'ADD marks :one',
        ConditionExpression: 'attribute_exists(#owner) AND expiresAtMs > :now',
        ExpressionAttributeNames: { '#owner': 'owner' },
        ExpressionAttributeValues: { ':one': number(1), ':now': number(nowMs) },
        ReturnValues: 'ALL_NEW',
      };
      try {
        const answer = await update(client, `mark of ${cluster}`, input);
        const item = answer.Attributes ?? {};
        return { number: marksOf(item), heldUntilMs: readNumber(item, 'expiresAtMs') };
      } catch (error) {
        if (isRefused(error)) return undefined;
        throw error;
      }
    },

    async release(lease: Lease): Promise<Release> {
      const input: UpdateItemCommandInput = {
        TableName: table,
        Key: clusterKey(lease.cluster, leaseSortKey),
        // A lease that an older version took has no time of its own.
        UpdateExpression:
          'SET doneAtMs = if_not_exists(takenAtMs, expiresAtMs) REMOVE #owner, expiresAtMs, marks',
        ConditionExpression:
          lease.marks === 0
            ? '#owner = :owner AND fence = :fence AND attribute_not_exists(marks)'
            : '#owner = :owner AND fence = :fence AND marks = :marks',
        ExpressionAttributeNames: { '#owner': 'owner' },
        ExpressionAttributeValues: {
          ':owner': text(lease.owner),
          ':fence': number(lease.fence),
          ...(lease.marks === 0 ? {} : { ':marks': number(lease.marks) }),
        },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      };
      try {
        await update(client, `lease of ${lease.cluster}`, input);
        return { status: 'released' };
      } catch (error) {
        const there = itemOfRefusal(error);
        if (there === undefined) throw error;
        const isOurs = there.owner?.S === lease.owner && readNumber(there, 'fence') === lease.fence;
        return isOurs ? { status: 'marked', marks: marksOf(there) } : { status: 'lost' };
      }
    },

    async abandon(lease: Lease): Promise<void> {
      const input: UpdateItemCommandInput = {
        TableName: table,
        Key: clusterKey(lease.cluster, leaseSortKey),
        UpdateExpression: 'REMOVE #owner, expiresAtMs',
        ConditionExpression: '#owner = :owner AND fence = :fence',
        ExpressionAttributeNames: { '#owner': 'owner' },
        ExpressionAttributeValues: { ':owner': text(lease.owner), ':fence': number(lease.fence) },
      };
      try {
        await update(client, `lease of ${lease.cluster}`, input);
      } catch (error) {
        if (!isRefused(error)) throw error;
      }
    },

    async read(cluster: string): Promise<LeaseState | undefined> {
      const command = new GetItemCommand({
        TableName: table,
        Key: clusterKey(cluster, leaseSortKey),
        ConsistentRead: true,
      });
      const answer = await calling(`GetItem (lease of ${cluster})`, () => client.send(command));
      const item = answer.Item;
      if (item === undefined) return undefined;
      const owner = item.owner?.S;
      return {
        fence: readNumber(item, 'fence'),
        marks: marksOf(item),
        ...(item.takenAtMs === undefined ? {} : { takenAtMs: readNumber(item, 'takenAtMs') }),
        ...(item.doneAtMs === undefined ? {} : { doneAtMs: readNumber(item, 'doneAtMs') }),
        ...(owner === undefined
          ? {}
          : { holder: { owner, expiresAtMs: readNumber(item, 'expiresAtMs') } }),
      };
    },
  };
}

const marksOf = (item: Item | undefined): number => Number(item?.marks?.N ?? 0);

/** The item that did not meet the condition, as DynamoDB hands it back; empty where there is none. */
const itemOfRefusal = (error: unknown): Item | undefined => {
  if (!isRefused(error)) return undefined;
  const cause = error instanceof PortError ? error.cause : undefined;
  return (cause as { readonly Item?: Item } | undefined)?.Item ?? {};
};
