import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { clientOptions } from '#adapters/aws/client-options.ts';
import { dynamodbCapacityLedger } from '#adapters/aws/dynamodb-capacity-ledger.ts';
import { dynamodbClusterLeases } from '#adapters/aws/dynamodb-cluster-leases.ts';
import { dynamodbJournal } from '#adapters/aws/dynamodb-journal.ts';
import type { Deployment } from '#ports/deployments.ts';

/** What Outrider remembers of its clusters. */
export const openMemory = (
  where: Pick<Deployment, 'table' | 'decisionsBucket'>,
  clients: { readonly dynamodb: DynamoDBClient; readonly s3: S3Client } = {
    dynamodb: new DynamoDBClient(clientOptions),
    s3: new S3Client(clientOptions),
  },
) => {
  const { table, decisionsBucket: bucket } = where;
  const { dynamodb, s3 } = clients;
  return {
    leases: dynamodbClusterLeases(dynamodb, table),
    ledger: dynamodbCapacityLedger(dynamodb, table),
    journal: dynamodbJournal({ dynamodb, table, s3, bucket }),
  };
};
