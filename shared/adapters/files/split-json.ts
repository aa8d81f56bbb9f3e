/*
 * Reads JSON from bytes without ever holding a big List as one string or one tree: the elements of a
 * top-level `items` array are parsed and handed on one by one. A file of 400 MB then needs its bytes and
 * what the caller keeps, and a file beyond the longest string of the engine (512 MB) can be read at all.
 */

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** JSON that breaks off or breaks the rules, with the byte where it does. */
export class JsonFault extends Error {
  readonly cutOff: boolean;
  readonly offset: number;

  constructor(message: string, offset: number, cutOff: boolean) {
    super(message);
    this.name = 'JsonFault';
    this.offset = offset;
    this.cutOff = cutOff;
  }
}

export interface JsonSink {
  /** Each value, in the order of the file, and the byte after it. */
  readonly onValue: (value: unknown, end: number) => void;
  /** After the `count` items of a List: what stood around them, with `items` empty. */
  readonly onListEnd: (envelope: unknown, count: number) => void;
}

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

const skipSpace = (bytes: Buffer, from: number): number => {
  let at = from;
  while (isSpace(bytes[at])) at += 1;
  return at;
};

const cutOff = (bytes: Buffer): JsonFault => new JsonFault('is cut off', bytes.length, true);

/** The byte after the string that starts at `from`. */
const stringEnd = (bytes: Buffer, from: number): number => {
  let at = from + 1;
  for (;;) {
    const end = bytes.indexOf(quote, at);
    if (end === -1) throw cutOff(bytes);
    let escapes = 0;
    while (bytes[end - 1 - escapes] === backslash) escapes += 1;
    if (escapes % 2 === 0) return end + 1;
    at = end + 1;
  }
};

/** The byte after the value that starts at `from`; only brackets and strings are understood. */
const valueEnd = (bytes: Buffer, from: number): number => {
  let depth = 0;
  let at = from;
  while (at < bytes.length) {
    const byte = bytes[at];
    if (byte === quote) {
      at = stringEnd(bytes, at);
      if (depth === 0) return at;
      continue;
    }
    if (byte === openBrace || byte === openBracket) depth += 1;
    else if (byte === closeBrace || byte === closeBracket) {
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (byte === comma || isSpace(byte))) return at;
    at += 1;
  }
  if (depth > 0) throw cutOff(bytes);
  return at;
};

const parse = (bytes: Buffer, from: number, to: number): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8', from, to));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new JsonFault(message.split(/[\n(]/)[0]?.trim() ?? message, from, false);
  }
};

/** Hands on each element of the array that starts at `from`; gives the byte after it. */
const eachElement = (bytes: Buffer, from: number, onValue: JsonSink['onValue']): number => {
  let at = skipSpace(bytes, from + 1);
  if (bytes[at] === closeBracket) return at + 1;
  for (;;) {
    if (at >= bytes.length) throw cutOff(bytes);
    const end = valueEnd(bytes, at);
    onValue(parse(bytes, at, end), end);
    at = skipSpace(bytes, end);
    if (bytes[at] === closeBracket) return at + 1;
    if (at >= bytes.length) throw cutOff(bytes);
    if (bytes[at] !== comma) throw new JsonFault('a comma is missing between two items', at, false);
    at = skipSpace(bytes, at + 1);
  }
};

const isItemsKey = (bytes: Buffer, from: number, to: number): boolean =>
  to - from === 7 && /^"[iI]tems"$/.test(bytes.toString('latin1', from, to));

/** Walks the members of the object at `from`; what is not `items` is checked as JSON as well. */
const eachItem = (bytes: Buffer, from: number, sink: JsonSink): number => {
  const pieces: string[] = [];
  let count = 0;
  let kept = from;
  let at = skipSpace(bytes, from + 1);
  while (bytes[at] === quote) {
    const keyEnd = stringEnd(bytes, at);
    const start = skipSpace(bytes, skipSpace(bytes, keyEnd) + 1);
    if (isItemsKey(bytes, at, keyEnd) && bytes[start] === openBracket) {
      pieces.push(bytes.toString('utf8', kept, start), '[]');
      at = eachElement(bytes, start, (value, after) => {
        count += 1;
        sink.onValue(value, after);
      });
      kept = at;
    } else {
      if (bytes[skipSpace(bytes, keyEnd)] !== colon) break;
      at = valueEnd(bytes, start);
    }
    at = skipSpace(bytes, at);
    if (bytes[at] === comma) at = skipSpace(bytes, at + 1);
  }
  if (at >= bytes.length) throw cutOff(bytes);
  const end = pieces.length === 0 ? valueEnd(bytes, from) : at + 1;
  const envelope = Buffer.from(pieces.join('') + bytes.toString('utf8', kept, end));
  const value = parse(envelope, 0, envelope.length);
  if (pieces.length === 0) sink.onValue(value, end);
  else sink.onListEnd(value, count);
  return end;
};

/**
 * Hands on every value of a JSON file: its one document or several one after another, Lists (`items`,
 * `Items`) by element. Throws a `JsonFault` at the first fault; values may have been handed on by then.
 */
export const eachJsonValue = (bytes: Buffer, sink: JsonSink): void => {
  let at = skipSpace(bytes, 0);
  while (at < bytes.length) {
    if (bytes[at] === openBrace) at = eachItem(bytes, at, sink);
    else if (bytes[at] === openBracket) at = eachElement(bytes, at, sink.onValue);
    else {
      const end = valueEnd(bytes, at);
      if (end === at) throw new JsonFault('is no JSON', at, false);
      sink.onValue(parse(bytes, at, end), end);
      at = end;
    }
    at = skipSpace(bytes, at);
  }
};
