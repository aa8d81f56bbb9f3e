import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eachJsonValue, JsonFault } from '#adapters/files/split-json.ts';

interface Read {
  readonly values: unknown[];
  readonly lists: (readonly [unknown, number])[];
}

const read = (text: string): Read => {
  const found: Read = { values: [], lists: [] };
  eachJsonValue(Buffer.from(text), {
    onValue: (value) => found.values.push(value),
    onListEnd: (envelope, count) => found.lists.push([envelope, count]),
  });
  return found;
};

const faultOf = (text: string): JsonFault | undefined => {
  try {
    read(text);
    return undefined;
  } catch (error) {
    if (error instanceof JsonFault) return error;
    throw error;
  }
};

describe('a List', () => {
  it('is handed on by item, with what stood around the items', () => {
    expect(read('{"kind":"PodList","items":[{"a":1},{"b":[2]}],"metadata":{}}')).toEqual({
      values: [{ a: 1 }, { b: [2] }],
      lists: [[{ kind: 'PodList', items: [], metadata: {} }, 2]],
    });
  });

  it('may be empty, and may be spelled Items', () => {
    expect(read('{"items": [ ]}').lists).toEqual([[{ items: [] }, 0]]);
    expect(read('{"Items":[7]}').values).toEqual([7]);
  });

  it('is only one where items is a list, at the top', () => {
    expect(read('{"items":{"a":1}}').values).toEqual([{ items: { a: 1 } }]);
    expect(read('{"a":{"items":[1,2]}}').values).toEqual([{ a: { items: [1, 2] } }]);
    expect(read('{"a":"items","b":[1]}').values).toEqual([{ a: 'items', b: [1] }]);
  });
});

describe('several documents in one file', () => {
  it('are read one after another', () => {
    expect(read('{"a":1}\n{"items":[2]}\n[3,4] 5 "six"\n').values).toEqual([
      { a: 1 },
      2,
      3,
      4,
      5,
      'six',
    ]);
  });
});

describe('a fault', () => {
  it('is a cut where the text ends too early', () => {
    for (const text of ['{"items":[{"a":1},{"b', '{"items":[1', '{"items":[1]', '{"a":{', '["x']) {
      expect([text, faultOf(text)?.cutOff]).toEqual([text, true]);
    }
  });

  it('carries the byte where it is', () => {
    const fault = faultOf('{"items":[{"a":1} {"b":2}]}');
    expect(fault).toMatchObject({ cutOff: false, offset: 18 });
    expect(faultOf('{"items":[1,2}')).toBeDefined();
    expect(faultOf('{"items":[1],,"a":2}')).toBeDefined();
    expect(faultOf('{"items" [1]}')).toBeDefined();
    expect(faultOf('{"a":1}}')).toBeDefined();
  });
});

describe('any JSON', () => {
  const json = fc.jsonValue({ maxDepth: 4 });

  it('comes out as it went in, however it is spaced', () => {
    fc.assert(
      fc.property(fc.array(json), json, fc.constantFrom(0, 1, 4), (items, other, spaces) => {
        const text = JSON.stringify({ before: other, items, after: other }, null, spaces);
        const found = read(text);
        expect(found.values).toEqual(JSON.parse(JSON.stringify(items)));
        const envelope = JSON.stringify({ before: other, items: [], after: other });
        expect(JSON.stringify(found.lists[0]?.[0])).toBe(envelope);
      }),
    );
  });

  it('is never taken for whole when it is cut', () => {
    fc.assert(
      fc.property(fc.array(json, { minLength: 1 }), fc.nat(), (items, at) => {
        const text = JSON.stringify({ kind: 'List', items });
        const cut = text.slice(0, 1 + (at % (text.length - 1)));
        expect(faultOf(cut)).toBeInstanceOf(JsonFault);
      }),
    );
  });

  it('is refused with a JsonFault and nothing else where it is garbage', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[],:"\\ 1ae') }), (text) => {
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        const fault = faultOf(text);
        if (valid) expect(fault).toBeUndefined();
      }),
      { numRuns: 2000 },
    );
  });
});
