import {
  type DynamoDBClient,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import type { Lease } from '#ports/cluster-leases.ts';
import { PortError } from '#ports/port-error.ts';
import { toPortError } from './aws-error.ts';
import { throughContention } from './dynamodb-contention.ts';
import { clusterKey, leaseSortKey, number, text } from './dynamodb-keys.ts';

/**
 * Writes items in one transaction that also checks that the lease is still ours; otherwise nothing is
 * written and `conflict` is thrown. A check on the lease item was chosen over a fence in each item: the
 * one that took the lease over shuts out its predecessor at once, before it has written anything
 * itself, and an item that nobody has written yet is guarded too. It costs a transaction's double
 * write units, at a few items per decision.
 */
export async function fencedWrite(
  store: { readonly client: DynamoDBClient; readonly table: string },
  lease: Lease,
  writes: readonly TransactWriteItem[],
): Promise<void> {
  const { client, table } = store;
  const command = new TransactWriteItemsCommand({
    TransactItems: [
      {
        ConditionCheck: {
          TableName: table,
          Key: clusterKey(lease.cluster, leaseSortKey),
          ConditionExpression: '#owner = :owner AND fence = :fence',
          ExpressionAttributeNames: { '#owner': 'owner' },
          ExpressionAttributeValues: { ':owner': text(lease.owner), ':fence': number(lease.fence) },
        },
      },
      ...writes,
    ],
  });
  // DynamoDB cancels a transaction that touches an item of another one under way, and all of a cluster's
  // touch its lease: they go one after another.
  await inTurn(`${table}/${lease.cluster}`, () => send(client, command, lease));
}

const turns = new Map<string, Promise<void>>();

/** Runs the work of one key in the order asked for, one at a time, whatever became of the work before. */
async function inTurn(key: string, work: () => Promise<void>): Promise<void> {
  const before = turns.get(key) ?? Promise.resolve();
  const mine = before.then(work, work);
  turns.set(key, mine);
  try {
    await mine;
  } finally {
    if (turns.get(key) === mine) turns.delete(key);
  }
}

async function send(
  client: DynamoDBClient,
  command: TransactWriteItemsCommand,
  lease: Lease,
): Promise<void> {
  try {
    // Marks that others leave on the lease meet the check of it.
    await throughContention(() => client.send(command), isOnlyContention);
  } catch (error) {
    throw explain(lease, error);
  }
}

const reasonsOf = (error: unknown): readonly string[] =>
  error instanceof TransactionCanceledException
    ? (error.CancellationReasons ?? []).map((reason) => reason.Code ?? 'None')
    : [];

/** Another request touched one of the items in the same moment. */
function isOnlyContention(error: unknown): boolean {
  const reasons = reasonsOf(error).filter((reason) => reason !== 'None');
  return reasons.length > 0 && reasons.every((reason) => reason === 'TransactionConflict');
}

function explain(lease: Lease, error: unknown): PortError {
  const reasons = reasonsOf(error);
  const call = `TransactWriteItems (${lease.cluster})`;
  const cause = { cause: error };
  if (reasons[0] === 'ConditionalCheckFailed') {
    const said = `${call}: the lease with fence ${lease.fence} of ${lease.owner} is no longer held`;
    return new PortError('conflict', said, cause);
  }
  if (reasons.some((reason) => /Throttl|ProvisionedThroughput|RequestLimit/.test(reason))) {
    return new PortError('throttled', `${call}: ${reasons.join(', ')}`, cause);
  }
  if (reasons.includes('ValidationError') || reasons.includes('ItemCollectionSizeLimitExceeded')) {
    return new PortError('invalid', `${call}: ${reasons.join(', ')}`, cause);
  }
  return toPortError(call, error);
}
