import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { DecisionRecord } from '#ports/journal.ts';
import { PortError } from '#ports/port-error.ts';
import { calling } from './aws-error.ts';
import { packJson, unpackJson } from './packed-json.ts';

/** The large half of a decision record. */
export type ArchivedDecision = Pick<DecisionRecord, 'input' | 'decision' | 'problems'>;

/** Decisions as gzipped JSON; the same key written twice holds the same bytes. */
export function s3DecisionArchive(client: S3Client, bucket: string) {
  return {
    async put(key: string, archived: ArchivedDecision): Promise<void> {
      // Level 1: a snapshot of 150,000 pods is some 100 MB of JSON, and the lease is held meanwhile.
      const body = await packJson(archived, 1);
      const command = new PutObjectCommand({
        Bucket: bucket,
        Key: key,
        Body: body,
        ContentType: 'application/json',
        ContentEncoding: 'gzip',
      });
      await calling(`PutObject (${key})`, () => client.send(command));
    },

    async get(key: string): Promise<ArchivedDecision> {
      const command = new GetObjectCommand({ Bucket: bucket, Key: key });
      const bytes = await calling(`GetObject (${key})`, async () => {
        const answer = await client.send(command);
        return await answer.Body?.transformToByteArray();
      });
      try {
        return (await unpackJson(bytes ?? new Uint8Array())) as ArchivedDecision;
      } catch (cause) {
        throw new PortError('invalid', `s3://${bucket}/${key} is not gzipped JSON.`, { cause });
      }
    },
  };
}
