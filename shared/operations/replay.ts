import { isJsonObject } from '#cluster/json.ts';
import { decideScaleUp } from '#scaling/decide-scale-up.ts';
import type { ScaleUpDecision, ScaleUpInput } from '#scaling/decision.ts';

/** What a replay needs of a journalled record. */
export interface ReplayedRecord {
  readonly input: ScaleUpInput;
  readonly decision: ScaleUpDecision;
}

export interface Difference {
  /** `scaleUps[0].to`; empty for the whole decision. */
  readonly path: string;
  readonly journalled: string;
  readonly replayed: string;
}

export interface ReplayOutcome {
  /** As this engine decides it now. */
  readonly decision: ScaleUpDecision;
  /** The first one; absent where the two are the same byte for byte. */
  readonly difference?: Difference;
}

const textOf = (value: unknown): string => JSON.stringify(value) ?? 'nothing';

const fieldsOf = (value: object): ReadonlyMap<string, unknown> => new Map(Object.entries(value));

const join = (path: string, key: string, inList: boolean): string => {
  if (inList) return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
};

/** The first place, in the order of the journalled one, where two values differ as JSON. */
const firstDifference = (
  journalled: unknown,
  replayed: unknown,
  path: string,
): Difference | undefined => {
  const [left, right] = [textOf(journalled), textOf(replayed)];
  if (left === right) return undefined;
  const here = { path, journalled: left, replayed: right };
  const inList = Array.isArray(journalled) && Array.isArray(replayed);
  if (!inList && !(isJsonObject(journalled) && isJsonObject(replayed))) return here;
  const [before, now] = [fieldsOf(journalled), fieldsOf(replayed)];
  for (const key of new Set([...before.keys(), ...now.keys()])) {
    const inside = firstDifference(before.get(key), now.get(key), join(path, key, inList));
    if (inside !== undefined) return inside;
  }
  // Equal fields in another order: still not byte for byte.
  return here;
};

/** Takes a journalled decision again from its own input, and compares the two byte for byte. */
export const replay = (record: ReplayedRecord): ReplayOutcome => {
  const decision = decideScaleUp(record.input);
  const difference = firstDifference(record.decision, decision, '');
  return difference === undefined ? { decision } : { decision, difference };
};
