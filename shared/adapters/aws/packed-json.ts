import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

const zip = promisify(gzip);
const unzip = promisify(gunzip);

/** A value as gzipped JSON: an item of DynamoDB holds 400 KB, and each KB costs. */
export const packJson = (value: unknown): Promise<Buffer> => zip(JSON.stringify(value));

/** The value that `packJson` packed. */
export const unpackJson = async (packed: Uint8Array): Promise<unknown> =>
  JSON.parse((await unzip(packed)).toString());
