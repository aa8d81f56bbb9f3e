import { type DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { ClusterLeases, Lease, LeaseRequest } from '#ports/cluster-leases.ts';
import { awsErrorName, calling } from './aws-error.ts';
import { clusterKey, leaseSortKey, number, readNumber, text } from './dynamodb-keys.ts';

/** Somebody else holds the lease, or is changing it in this moment. */
const isHeld = (error: unknown): boolean => {
  const name = awsErrorName(error);
  return name === 'ConditionalCheckFailedException' || name === 'TransactionConflictException';
};

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
      const command = new UpdateItemCommand({
        TableName: table,
        Key: clusterKey(request.cluster, leaseSortKey),
        UpdateExpression: 'SET #owner = :owner, expiresAtMs = :expires ADD fence :one',
        ConditionExpression:
          'attribute_not_exists(#owner) OR expiresAtMs <= :now OR #owner = :owner',
        ExpressionAttributeNames: { '#owner': 'owner' },
        ExpressionAttributeValues: {
          ':owner': text(request.owner),
          ':expires': number(expiresAtMs),
          ':now': number(request.nowMs),
          ':one': number(1),
        },
        ReturnValues: 'ALL_NEW',
      });
      try {
        const answer = await calling(`UpdateItem (lease of ${request.cluster})`, () =>
          client.send(command),
        );
        const fence = readNumber(answer.Attributes ?? {}, 'fence');
        return { cluster: request.cluster, owner: request.owner, fence, expiresAtMs };
      } catch (error) {
        if (isHeld(error)) return undefined;
        throw error;
      }
    },

    async release(lease: Lease): Promise<void> {
      const command = new UpdateItemCommand({
        TableName: table,
        Key: clusterKey(lease.cluster, leaseSortKey),
        UpdateExpression: 'REMOVE #owner, expiresAtMs',
        ConditionExpression: '#owner = :owner AND fence = :fence',
        ExpressionAttributeNames: { '#owner': 'owner' },
        ExpressionAttributeValues: { ':owner': text(lease.owner), ':fence': number(lease.fence) },
      });
      try {
        await calling(`UpdateItem (lease of ${lease.cluster})`, () => client.send(command));
      } catch (error) {
        if (!isHeld(error)) throw error;
      }
    },
  };
}
