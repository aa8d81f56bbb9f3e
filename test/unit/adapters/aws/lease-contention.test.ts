import { type DynamoDBClient, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { dynamodbClusterLeases } from '#adapters/aws/dynamodb-cluster-leases.ts';
import { fencedWrite } from '#adapters/aws/dynamodb-fenced-write.ts';

interface Sent {
  readonly constructor: { readonly name: string };
  readonly input: {
    readonly Key?: { readonly sk: { readonly S: string } };
    readonly TransactItems?: readonly { readonly ConditionCheck?: object }[];
  };
}

const conflict = () =>
  Object.assign(new Error('Transaction is ongoing for the item'), {
    name: 'TransactionConflictException',
    $metadata: { httpStatusCode: 400 },
  });

const cancelled = () =>
  new TransactionCanceledException({
    message: 'cancelled',
    $metadata: {},
    CancellationReasons: [{ Code: 'TransactionConflict' }, { Code: 'None' }],
  });

/**
 * DynamoDB's rule for one lease item: a single write that meets a transaction is refused, and a transaction that
 * meets either is cancelled. Marks are counted; whoever asks for the lease gets it.
 */
const busyLease = () => {
  const underWay = { writes: 0, transactions: 0 };
  const seen = { conflicts: 0, marks: 0, transactions: 0 };
  const during = async (kind: keyof typeof underWay) => {
    underWay[kind] += 1;
    await new Promise((resolve) => setTimeout(resolve, 4));
    underWay[kind] -= 1;
  };
  const send = async ({ input }: Sent): Promise<object> => {
    if (input.TransactItems !== undefined) {
      if (underWay.writes + underWay.transactions > 0) {
        seen.conflicts += 1;
        throw cancelled();
      }
      await during('transactions');
      seen.transactions += 1;
      return {};
    }
    if (underWay.transactions > 0) {
      seen.conflicts += 1;
      throw conflict();
    }
    await during('writes');
    seen.marks += 1;
    return { Attributes: { marks: { N: `${seen.marks}` }, expiresAtMs: { N: '9' } } };
  };
  return { client: { send } as unknown as DynamoDBClient, seen };
};

const endless = (attempts: { count: number }) =>
  ({
    send: () => {
      attempts.count += 1;
      return Promise.reject(conflict());
    },
  }) as unknown as DynamoDBClient;

const lease = { cluster: 'demo', owner: 'me', fence: 1, expiresAtMs: 9, marks: 0 };
const put = [{ Put: { TableName: 'table', Item: {} } }];

describe('a lease under contention', () => {
  it('takes ten marks left at once while its holder writes, and loses neither', async () => {
    const { client, seen } = busyLease();
    const leases = dynamodbClusterLeases(client, 'table');
    const writes = Array.from({ length: 15 }, () =>
      fencedWrite({ client, table: 'table' }, lease, put),
    );
    const marks = Array.from({ length: 10 }, () => leases.mark('demo', 0));
    await Promise.all(writes);
    const numbers = (await Promise.all(marks)).map((mark) => mark?.number ?? 0);
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 10 }, (_, n) => n + 1));
    expect(seen).toMatchObject({ marks: 10, transactions: 15 });
    expect(seen.conflicts).toBeGreaterThan(0);
  });

  it('counts as held for whoever goes on meeting its holder’s writes', async () => {
    const attempts = { count: 0 };
    const leases = dynamodbClusterLeases(endless(attempts), 'table');
    const asked = { cluster: 'demo', owner: 'b', nowMs: 0, ttlMs: 1 };
    expect(await leases.acquire(asked)).toBeUndefined();
    expect(attempts.count).toBeGreaterThan(3);
    expect(attempts.count).toBeLessThan(20);
  });

  it('is a conflict, to be tried again, for a mark that never gets through', async () => {
    const leases = dynamodbClusterLeases(endless({ count: 0 }), 'table');
    await expect(leases.mark('demo', 0)).rejects.toMatchObject({
      code: 'conflict',
      retryable: true,
    });
    await expect(leases.release(lease)).rejects.toMatchObject({ code: 'conflict' });
  });
});
