import { isJsonObject, type JsonObject } from '#cluster/json.ts';
import { getOwn } from '#cluster/own-record.ts';
import type { Problem } from '#cluster/problem.ts';

/** Where an entry of AWS's output stands, for problems that people can find again. */
export interface Place {
  readonly file?: string;
  /** `AutoScalingGroups[0]`, with the entry's name once it is known. */
  readonly field: string;
}

export type ReadResult<Value> =
  | { readonly value: Value }
  | { readonly problems: readonly Problem[] };

/** One JSON object read field by field; what is wrong gathers in `problems`. Never throws. */
export interface Fields {
  readonly place: Place;
  readonly problems: Problem[];
  raw(name: string): unknown;
  /** A text that must be there and not be empty. */
  text(name: string): string;
  optionalText(name: string): string | undefined;
  /** A whole number from 0 to 2^53-1 that must be there. */
  count(name: string): number;
  optionalCount(name: string): number | undefined;
  flag(name: string): boolean;
  /** A list; absent or null is empty. */
  list(name: string): readonly unknown[];
  /** A nested object; absent or null gives `undefined`. */
  object(name: string): Fields | undefined;
  /** The objects of a list. */
  objects(name: string): readonly Fields[];
  refuse(name: string, code: string, message: string): void;
}

/** A short rendering of whatever was found, for messages. */
export const shown = (value: unknown): string => {
  if (value === undefined || value === null) return 'missing';
  if (typeof value === 'string') {
    return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  }
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? 'a list' : 'an object';
};

/** Reads `value` as an object at `place`; what is not an object reads as one without fields. */
export const fieldsOf = (value: unknown, place: Place, problems: Problem[] = []): Fields => {
  const object: JsonObject = isJsonObject(value) ? value : {};
  const refuse = (name: string, code: string, message: string): void => {
    const field = name === '' ? place.field : `${place.field}.${name}`;
    problems.push({
      ...(place.file === undefined ? {} : { file: place.file }),
      field,
      code,
      message,
    });
  };
  if (!isJsonObject(value)) refuse('', 'notAnObject', wrong('the entry', value, 'an object'));

  const raw = (name: string): unknown => getOwn(object, name) ?? undefined;
  const optional = <Value>(
    name: string,
    isRight: (found: unknown) => found is Value,
    expected: string,
  ): Value | undefined => {
    const found = raw(name);
    if (found === undefined || isRight(found)) return found;
    refuse(name, 'wrongType', wrong(name, found, expected));
    return undefined;
  };
  const required = <Value>(
    name: string,
    found: Value | undefined,
    expected: string,
    none: Value,
  ) => {
    if (found !== undefined) return found;
    if (raw(name) === undefined) refuse(name, 'missingField', wrong(name, undefined, expected));
    return none;
  };
  const optionalText = (name: string) => optional(name, isFilledText, 'a text');
  const optionalCount = (name: string) => optional(name, isCount, 'a whole number');
  const list = (name: string) => optional(name, isList, 'a list') ?? [];
  const nested = (name: string, found: unknown) =>
    fieldsOf(found, { ...place, field: `${place.field}.${name}` }, problems);

  return {
    place,
    problems,
    raw,
    optionalText,
    text: (name) => required(name, optionalText(name), 'a text', ''),
    optionalCount,
    count: (name) => required(name, optionalCount(name), 'a whole number', 0),
    flag: (name) => optional(name, isFlag, 'true or false') ?? false,
    list,
    object: (name) => (raw(name) === undefined ? undefined : nested(name, raw(name))),
    objects: (name) => list(name).map((entry, index) => nested(`${name}[${index}]`, entry)),
    refuse,
  };
};

const isFilledText = (found: unknown): found is string => typeof found === 'string' && found !== '';
const isCount = (found: unknown): found is number =>
  Number.isSafeInteger(found) && Number(found) >= 0;
const isFlag = (found: unknown): found is boolean => typeof found === 'boolean';
const isList = (found: unknown): found is readonly unknown[] => Array.isArray(found);

const wrong = (name: string, found: unknown, expected: string): string =>
  `${name} is ${shown(found)}, not ${expected}: the entry is left out; give AWS's answer as it came`;

/** The value, unless a field of it was refused. */
export const finished = <Value>(fields: Fields, value: Value): ReadResult<Value> =>
  fields.problems.length === 0 ? { value } : { problems: fields.problems };

/** `InstanceRequirements` of an override or a launch template, as they stand. */
export const readRequirements = (fields: Fields | undefined): JsonObject | undefined => {
  if (fields?.object('InstanceRequirements') === undefined) return undefined;
  const requirements = fields.raw('InstanceRequirements');
  return isJsonObject(requirements) ? requirements : undefined;
};
