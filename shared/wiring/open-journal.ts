import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { clientOptions } from '#adapters/aws/client-options.ts';
import { dynamodbJournal } from '#adapters/aws/dynamodb-journal.ts';
import { readJournalEnvironment } from '#config/journal-environment.ts';
import type { Journal } from '#ports/journal.ts';
import { PortError } from '#ports/port-error.ts';

/**
 * The journal of a deployment, from `OUTRIDER_TABLE` and `OUTRIDER_DECISIONS_BUCKET`; region,
 * credentials and endpoint as the AWS SDK finds them. Throws `invalid` where a variable or the region
 * is missing.
 */
export const openJournal = async (): Promise<Journal> => {
  const environment = readJournalEnvironment();
  if ('missing' in environment) {
    throw new PortError(
      'invalid',
      `${environment.missing.join(' and ')} not set: set them to the table and bucket of the deployment, or name a file`,
    );
  }
  const dynamodb = new DynamoDBClient(clientOptions);
  await dynamodb.config.region().catch((cause: unknown) => {
    throw new PortError('invalid', 'no AWS region: set AWS_REGION', { cause });
  });
  return dynamodbJournal({
    dynamodb,
    table: environment.table,
    s3: new S3Client(clientOptions),
    bucket: environment.decisionsBucket,
  });
};
