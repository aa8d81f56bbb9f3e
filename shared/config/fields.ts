import * as z from 'zod';
import { parseResource } from './amounts.ts';
import { parseDurationSeconds, parsePercentPerMille } from './duration.ts';
import { shown } from './schema-problems.ts';

/** A field whose text is turned into a value, or refused with a message that says what to write. */
const read = <T>(convert: (value: unknown) => T | undefined, remedy: string) =>
  z.unknown().transform((value, context): T => {
    const converted = convert(value);
    if (converted !== undefined) return converted;
    context.addIssue({
      code: 'custom',
      input: value,
      message: value === undefined ? `missing: ${remedy}` : `is ${shown(value)}: ${remedy}`,
    });
    return z.NEVER;
  });

const fromText =
  <T>(convert: (text: string) => T | undefined) =>
  (value: unknown): T | undefined =>
    typeof value === 'string' ? convert(value) : undefined;

/** Whole seconds, written `90s`, `15m`, `1h30m`. */
export const durationSeconds = read(
  fromText(parseDurationSeconds),
  'write a duration with its unit, such as 90s, 15m or 1h30m',
);

/** Milli-CPU, written `100m` or `2`. */
export const milliCpu = read(
  (value) => parseResource('cpu', value),
  'write an amount of CPU, such as 100m or 2',
);

/** Bytes, written `500Mi` or `1Gi`. */
export const bytes = read(
  (value) => parseResource('memory', value),
  'write an amount of bytes, such as 500Mi or 1Gi',
);

/** Millionths of a dollar, written in dollars: `0.096`. */
export const dollars = read(
  (value) =>
    typeof value === 'number' && value >= 0 && value <= 1_000_000
      ? Math.round(value * 1_000_000)
      : undefined,
  'write dollars per hour as a number, such as 0.096',
);

/** Per mille, written `10%` or `5.5%`. */
export const perMille = read(
  fromText(parsePercentPerMille),
  'write a percentage with at most one decimal, such as 10% or 5.5%',
);

/** Any resource in its base unit: `nvidia.com/gpu: 1`. */
export const amounts = z.record(z.string().min(1), z.unknown()).transform((map, context) => {
  const converted: Record<string, number> = {};
  for (const [name, value] of Object.entries(map)) {
    const amount = parseResource(name, value);
    if (amount === undefined) {
      context.addIssue({
        code: 'custom',
        path: [name],
        input: value,
        message: `is ${shown(value)}: write a Kubernetes quantity, such as 2, 500m or 4Gi`,
      });
    } else {
      converted[name] = amount;
    }
  }
  return converted;
});

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;

/** A taint as kubectl writes it: `dedicated=batch:NoSchedule`, `dedicated:NoExecute`. */
export const taint = read(
  fromText((text) => {
    const match = /^([A-Za-z0-9][\w./-]{0,252})(?:=([\w.-]{0,63}))?:(\w+)$/.exec(text);
    const effect = effects.find((known) => known === match?.[3]);
    if (match === null || effect === undefined) return undefined;
    return { key: match[1] ?? '', value: match[2] ?? '', effect };
  }),
  'write key=value:NoSchedule (or PreferNoSchedule, NoExecute)',
);

/** A tag's value; left empty it stands for any value. */
export const tagValue = z.union([z.string().max(256), z.null().transform(() => '')]);
