import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

const zip = promisify(gzip);
const unzip = promisify(gunzip);

/** A value as gzipped JSON: an item of DynamoDB holds 400 KB, and each KB costs. Level 1 is fast, 9 small. */
export const packJson = (value: unknown, level = 6): Promise<Buffer> =>
  zip(JSON.stringify(value), { level });

/** The value that `packJson` packed. */
export const unpackJson = async (packed: Uint8Array): Promise<unknown> =>
  JSON.parse((await unzip(packed)).toString());
