import { gunzipSync } from 'node:zlib';
import { isJsonObject } from '#cluster/json.ts';
import type { DecisionRecord } from '#ports/journal.ts';
import { PortError } from '#ports/port-error.ts';
import { readBytes } from './read-bytes.ts';

/** A record as its file holds it: the decisions bucket keeps `input`, `decision` and `problems`. */
export type FiledDecision = Pick<DecisionRecord, 'input' | 'decision'> & Partial<DecisionRecord>;

/** What one text can hold in this engine; a record of the largest cluster is a tenth of it. */
const mostBytes = 512 * 1024 * 1024;

const lists: Readonly<Record<'input' | 'decision', readonly (readonly string[])[]>> = {
  input: [
    ['snapshot', 'nodes'],
    ['snapshot', 'pods'],
    ['snapshot', 'daemonSets'],
    ['snapshot', 'leases'],
    ['nodeGroups', 'groups'],
    ['nodeGroups', 'launchTemplates'],
    ['nodeGroups', 'instanceTypes'],
    ['ledger'],
    ['policy', 'groups'],
  ],
  decision: [['scaleUps'], ['fits'], ['stuck'], ['ignored'], ['blockedGroups'], ['problems']],
};

const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, key) => (isJsonObject(inner) ? inner[key] : undefined), value);

/** The first field without which no decision can be taken again. */
const missingField = (record: unknown): string | undefined => {
  for (const [half, paths] of Object.entries(lists)) {
    const missing = paths.find((path) => !Array.isArray(at(record, [half, ...path])));
    if (missing !== undefined) return [half, ...missing].join('.');
  }
  return Number.isSafeInteger(at(record, ['input', 'nowMs'])) ? undefined : 'input.nowMs';
};

/**
 * Reads a journalled decision, `.json` or `.json.gz` by its bytes. Throws `notFound` where there is no
 * such file, `invalid` with the field and the remedy where it holds no decision.
 */
export const readDecisionFile = async (path: string): Promise<FiledDecision> => {
  const raw = await readBytes(path, { mostBytes });
  let record: unknown;
  try {
    const zipped = raw[0] === 0x1f && raw[1] === 0x8b;
    record = JSON.parse(
      (zipped ? gunzipSync(raw, { maxOutputLength: mostBytes }) : raw).toString('utf8'),
    );
  } catch (cause) {
    const message = `${path} is no JSON: copy the object again from the decisions bucket`;
    throw new PortError('invalid', message, { cause });
  }
  const missing = missingField(record);
  if (missing !== undefined) {
    const remedy = 'name an object of the decisions bucket, as it was stored';
    throw new PortError(
      'invalid',
      `${path} ${missing} is missing, so it is no decision: ${remedy}`,
    );
  }
  return record as FiledDecision;
};
