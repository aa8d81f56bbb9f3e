import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { PortError } from '#ports/port-error.ts';
import { calling } from './aws-error.ts';

const mostBytes = 4 * 1024 * 1024;

/** Reads the text of `outrider.yaml`, fresh, from where the deployment keeps it. */
export async function readS3Configuration(
  client: S3Client,
  place: { readonly bucket: string; readonly key: string },
): Promise<string> {
  const url = `s3://${place.bucket}/${place.key}`;
  return await calling(`GetObject (${url})`, async () => {
    const command = new GetObjectCommand({ Bucket: place.bucket, Key: place.key });
    const answer = await client.send(command);
    if ((answer.ContentLength ?? 0) > mostBytes) {
      throw new PortError('invalid', `${url} is larger than 4 MiB: is it outrider.yaml?`);
    }
    return (await answer.Body?.transformToString('utf-8')) ?? '';
  });
}
