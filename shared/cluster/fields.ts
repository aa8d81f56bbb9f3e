import { isJsonObject, type JsonObject } from './json.ts';
import { setOwn } from './own-record.ts';
import { isQuantityError, parseQuantity, type Quantity, type QuantityError } from './quantity.ts';
import { parseTime } from './time.ts';

/*
 * Reading fields of JSON that anybody may have written. Nothing throws: a field that cannot be used
 * is put down as a fault, and the reader goes on with a neutral value to find the others.
 */

/** A field that cannot be used. `message` names the value and the remedy. */
export interface Fault {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** What outlives the reading of one object: whatever many of them have alike is made once. */
export interface ReadMemory {
  /** Parsed already, by text. */
  readonly quantities: Map<string, Quantity | QuantityError>;
  /** Parts of views, by their JSON. */
  readonly parts: Map<string, unknown>;
}

/** What the readers of one object share. */
export interface ReadContext {
  readonly faults: Fault[];
  readonly memory: ReadMemory;
}

/** An object in the JSON and where it stands. */
export interface ObjectField {
  readonly fields: JsonObject;
  readonly path: string;
  readonly context: ReadContext;
}

export const newReadMemory = (): ReadMemory => ({ quantities: new Map(), parts: new Map() });

const noFields: JsonObject = {};

const isAbsent = (value: unknown): value is null | undefined =>
  value === undefined || value === null;

/** A value for people, cut short. Anything that JSON cannot say is named by its type. */
export function shown(value: unknown): string {
  if (isJsonObject(value)) return 'an object';
  if (Array.isArray(value)) return 'a list';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** Puts down a fault of one field of an object. */
export function addFault(of: ObjectField, key: string, fault: Omit<Fault, 'path'>): void {
  of.context.faults.push({ path: `${of.path}.${key}`, ...fault });
}

/** A field's value where `is` accepts it; absent and null are `undefined`, anything else is a fault. */
function valueAt<Value>(
  of: ObjectField,
  key: string,
  expected: { is(value: unknown): value is Value; readonly code: string; readonly what: string },
): Value | undefined {
  const value = of.fields[key];
  if (isAbsent(value)) return undefined;
  if (expected.is(value)) return value;
  const { code, what } = expected;
  addFault(of, key, { code, message: `${shown(value)} is not ${what}` });
  return undefined;
}

const text = {
  is: (value: unknown): value is string => typeof value === 'string',
  code: 'textExpected',
  what: 'a text; put it in quotes',
};

const wholeNumber = {
  is: (value: unknown): value is number => Number.isSafeInteger(value),
  code: 'numberExpected',
  what: 'a whole number; write one without quotes',
};

const truth = {
  is: (value: unknown): value is boolean => typeof value === 'boolean',
  code: 'booleanExpected',
  what: 'true or false; write one of them without quotes',
};

const list = {
  is: (value: unknown): value is readonly unknown[] => Array.isArray(value),
  code: 'listExpected',
  what: 'a list; write one, even of a single element',
};

const record = {
  is: isJsonObject,
  code: 'objectExpected',
  what: 'an object; write fields with values',
};

export const textAt = (of: ObjectField, key: string): string | undefined => valueAt(of, key, text);

export const numberAt = (of: ObjectField, key: string): number | undefined =>
  valueAt(of, key, wholeNumber);

export const booleanAt = (of: ObjectField, key: string): boolean =>
  valueAt(of, key, truth) ?? false;

export const hasField = (of: ObjectField, key: string): boolean => !isAbsent(of.fields[key]);

/** The object in a field; an empty one where it is absent or faulty. */
export const objectAt = (of: ObjectField, key: string): ObjectField => ({
  fields: valueAt(of, key, record) ?? noFields,
  path: `${of.path}.${key}`,
  context: of.context,
});

/** The objects of a list; elements that are none are faults. */
export function objectsAt(of: ObjectField, key: string): readonly ObjectField[] {
  const elements = valueAt(of, key, list) ?? [];
  const objects: ObjectField[] = [];
  elements.forEach((element, index) => {
    if (isJsonObject(element)) {
      objects.push({ fields: element, path: `${of.path}.${key}[${index}]`, context: of.context });
    } else {
      const message = `${shown(element)} is not an object; write fields with values`;
      addFault(of, `${key}[${index}]`, { code: 'objectExpected', message });
    }
  });
  return objects;
}

/** The texts of a list; elements that are none are faults. */
export function textsAt(of: ObjectField, key: string): readonly string[] {
  const elements = valueAt(of, key, list) ?? [];
  return elements.filter((element, index): element is string => {
    if (typeof element === 'string') return true;
    const message = `${shown(element)} is not a text; put it in quotes`;
    addFault(of, `${key}[${index}]`, { code: 'textExpected', message });
    return false;
  });
}

/** Whether a list has any element. */
export const hasElements = (of: ObjectField, key: string): boolean =>
  (valueAt(of, key, list) ?? []).length > 0;

/** Texts by key, of those keys that `keep` accepts. */
export function textMapAt(
  of: ObjectField,
  key: string,
  keep: (name: string) => boolean = () => true,
): Readonly<Record<string, string>> {
  const object = objectAt(of, key);
  const result: Record<string, string> = {};
  for (const name of Object.keys(object.fields)) {
    if (!keep(name)) continue;
    const value = object.fields[name];
    if (typeof value === 'string') setOwn(result, name, value);
    else {
      const message = `${shown(value)} is not a text; put it in quotes`;
      addFault(of, `${key}[${name}]`, { code: 'textExpected', message });
    }
  }
  return result;
}

/** One of a closed list of words. An empty text counts as absent, as in the API. */
export function wordAt<Word extends string>(
  of: ObjectField,
  key: string,
  words: readonly Word[],
): Word | undefined {
  const value = textAt(of, key);
  if (value === undefined || value === '') return undefined;
  const word = words.find((one) => one === value);
  if (word === undefined) {
    const message = `${shown(value)} is unknown here; write one of ${words.join(', ')}`;
    addFault(of, key, { code: 'valueUnknown', message });
  }
  return word;
}

/** A time in milliseconds since the epoch. */
export function timeAt(of: ObjectField, key: string): number | undefined {
  const value = textAt(of, key);
  if (value === undefined) return undefined;
  const time = parseTime(value);
  if (time === undefined) {
    const message = `${shown(value)} is not a time; write it as 2026-01-31T12:00:00Z`;
    addFault(of, key, { code: 'timeInvalid', message });
  }
  return time;
}

function cachedQuantity(value: string | number, context: ReadContext): Quantity | QuantityError {
  const source = String(value);
  const { quantities } = context.memory;
  let parsed = quantities.get(source);
  if (parsed === undefined) {
    parsed = parseQuantity(source);
    quantities.set(source, parsed);
  }
  return parsed;
}

/** A quantity that is not negative; `undefined` where it is none, which is a fault. */
function readQuantity(of: ObjectField, key: string): Quantity | undefined {
  const value = of.fields[key] ?? '0';
  const parsed: Quantity | QuantityError =
    typeof value === 'string' || typeof value === 'number'
      ? cachedQuantity(value, of.context)
      : {
          error: `${shown(value)} is not a Kubernetes quantity; write one such as 500m or 1.5Gi`,
        };
  if (isQuantityError(parsed)) {
    addFault(of, key, { code: 'quantityInvalid', message: parsed.error });
    return undefined;
  }
  if (parsed.nano < 0n) {
    const message = `${shown(value)} is negative; write 0 or more`;
    addFault(of, key, { code: 'quantityNegative', message });
    return undefined;
  }
  return parsed;
}

/** A quantity that is not negative. */
export const quantityAt = (of: ObjectField, key: string): Quantity | undefined =>
  hasField(of, key) ? readQuantity(of, key) : undefined;

/** Quantities by resource name, none of them negative; null counts as 0, as in the API. */
export function quantitiesAt(of: ObjectField, key: string): ReadonlyMap<string, Quantity> {
  const object = objectAt(of, key);
  const result = new Map<string, Quantity>();
  for (const name of Object.keys(object.fields)) {
    const quantity = readQuantity(object, name);
    if (quantity !== undefined) result.set(name, quantity);
  }
  return result;
}
