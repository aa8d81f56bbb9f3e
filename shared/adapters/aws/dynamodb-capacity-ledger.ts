import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { CapacityLedger } from '#ports/capacity-ledger.ts';
import type { Lease } from '#ports/cluster-leases.ts';
import { PortError } from '#ports/port-error.ts';
import type { LedgerEntry } from '#scaling/ledger.ts';
import { calling } from './aws-error.ts';
import { fencedWrite } from './dynamodb-fenced-write.ts';
import { clusterKey, groupPrefix, type Item, number, readText, text } from './dynamodb-keys.ts';
import { packJson, unpackJson } from './packed-json.ts';

/**
 * One item per group; the entry is kept as gzipped JSON, so that it comes back exactly as it went and
 * thousands of instances fit.
 */
export function dynamodbCapacityLedger(client: DynamoDBClient, table: string): CapacityLedger {
  const store = { client, table };

  return {
    async read(cluster: string): Promise<readonly LedgerEntry[]> {
      const entries: LedgerEntry[] = [];
      let from: Item | undefined;
      do {
        const command = new QueryCommand({
          TableName: table,
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
          ExpressionAttributeValues: {
            ':pk': text(`cluster#${cluster}`),
            ':prefix': text(groupPrefix),
          },
          ConsistentRead: true,
          ...(from && { ExclusiveStartKey: from }),
        });
        const answer = await calling(`Query (ledger of ${cluster})`, () => client.send(command));
        for (const item of answer.Items ?? []) entries.push(await readEntry(cluster, item));
        from = answer.LastEvaluatedKey;
      } while (from);
      return entries;
    },

    async write(lease: Lease, entry: LedgerEntry): Promise<void> {
      const item: Item = {
        ...clusterKey(lease.cluster, groupPrefix + entry.group),
        entry: { B: await packJson(entry) },
        fence: number(lease.fence),
      };
      await fencedWrite(store, lease, [{ Put: { TableName: table, Item: item } }]);
    },

    async remove(lease: Lease, group: string): Promise<void> {
      const key = clusterKey(lease.cluster, groupPrefix + group);
      await fencedWrite(store, lease, [{ Delete: { TableName: table, Key: key } }]);
    },
  };
}

async function readEntry(cluster: string, item: Item): Promise<LedgerEntry> {
  try {
    return (await unpackJson(item.entry?.B ?? new Uint8Array())) as LedgerEntry;
  } catch (cause) {
    const name = `${readText(item, 'sk')} of cluster ${cluster}`;
    // Guessing would forget capacity that is on its way, and raise a group twice.
    throw new PortError('invalid', `The ledger item ${name} cannot be read.`, { cause });
  }
}
