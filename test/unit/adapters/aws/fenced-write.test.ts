import type { DynamoDBClient, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { fencedWrite } from '#adapters/aws/dynamodb-fenced-write.ts';

/** DynamoDB's rule: a transaction that touches an item of one under way is cancelled. */
const busyTable = () => {
  let underWay = 0;
  const written: string[] = [];
  const send = async (command: TransactWriteItemsCommand): Promise<object> => {
    if (underWay > 0) {
      throw new TransactionCanceledException({
        message: 'cancelled',
        $metadata: {},
        CancellationReasons: [{ Code: 'TransactionConflict' }, { Code: 'None' }],
      });
    }
    underWay += 1;
    await new Promise((resolve) => setTimeout(resolve, 2));
    underWay -= 1;
    written.push(command.input.TransactItems?.[1]?.Put?.Item?.sk?.S ?? '');
    return {};
  };
  return { store: { client: { send } as unknown as DynamoDBClient, table: 'table' }, written };
};

const leaseOf = (cluster: string) => ({ cluster, owner: 'me', fence: 1, expiresAtMs: 0, marks: 0 });
const put = (sk: string) => [{ Put: { TableName: 'table', Item: { sk: { S: sk } } } }];

describe('fenced writes', () => {
  it('of one cluster never meet, however many are asked for at once', async () => {
    const { store, written } = busyTable();
    const names = Array.from({ length: 50 }, (_, index) => `group-${index}`);
    await Promise.all(names.map((name) => fencedWrite(store, leaseOf('demo'), put(name))));
    expect(written).toEqual(names);
  });

  it('go on after one that failed', async () => {
    const { store, written } = busyTable();
    const broken = { ...store, client: { send: () => Promise.reject(new Error('broken')) } };
    const first = fencedWrite(broken as never, leaseOf('demo'), put('a'));
    const second = fencedWrite(store, leaseOf('demo'), put('b'));
    await expect(first).rejects.toThrow(/broken/);
    await second;
    expect(written).toEqual(['b']);
  });
});
