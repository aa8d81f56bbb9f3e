import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDocument, stringify } from 'yaml';
import { readPlainYaml, unusual } from '#adapters/files/plain-yaml.ts';

/** What the real parser makes of it; `unusual` where it finds a fault. */
const real = (text: string): unknown => {
  const document = parseDocument(text, { prettyErrors: false });
  if (document.errors.length > 0 || document.warnings.length > 0) return unusual;
  return document.toJS();
};

const pod = `apiVersion: v1
kind: Pod
metadata:
  annotations:
    a.b/c: "true"
    d: 'it''s'
  creationTimestamp: "2026-08-21T08:12:04Z"
  labels: {}
  name: web-1
  ownerReferences:
  - apiVersion: apps/v1
    controller: true
    name: web
spec:
  containers:
  - image: registry.example.com:5000/web:v1
    name: web
    hostIP: 10.0.0.1
    since: 2026-08-21
    ports: []
    resources:
      requests:
        cpu: 100m
        memory: 1.5Gi
  priority: -10
  nodeName:
  finalizers:
  - a
  - "b: c"
`;

describe('what kubectl prints', () => {
  it('is read as the real parser reads it', () => {
    expect(readPlainYaml(pod)).toEqual(real(pod));
    expect(readPlainYaml(pod)).toMatchObject({ spec: { priority: -10, nodeName: null } });
  });
});

describe('anything out of the ordinary', () => {
  it.each([
    'a: |\n  text\n',
    'a: b\n  c\n',
    "a: 'b\n  c'\n",
    'a: &x b\n',
    'a: *x\n',
    'a: {b: c}\n',
    'a: [b]\n',
    'a: b # c\n',
    '# c\na: b\n',
    'a: 1\na: 2\n',
    'a: 0x1f\n',
    'a: 0o7\n',
    'a: .inf\n',
    'a: +1\n',
    'a: 1_000\n',
    'a: 007\n',
    'a: True\n',
    'a: NULL\n',
    'a: !!str 1\n',
    'a: "\\x41"\n',
    'a:  b\n',
    'a: b \n',
    '- - a\n',
    '-\n  a: b\n',
    '? a\n: b\n',
    '1: a\n',
    'true: a\n',
    '__proto__: a\n',
    'a: b: c\n',
    'a\n',
    'a: b\n c: d\n',
    'a:\n  b: c\n d: e\n',
    '\ta: b\n',
    'a: b\n\nc: d\n',
    'a: <<\n<<: b\n',
  ])('is left to the real parser: %j', (text) => {
    expect(readPlainYaml(text)).toBe(unusual);
  });
});

describe('any text', () => {
  const value = fc.letrec((tie) => ({
    scalar: fc.oneof(
      fc.string({ maxLength: 8 }),
      fc.constantFrom(
        'true',
        '1',
        '1e3',
        '0x1',
        'null',
        'a: b',
        '- a',
        ' a',
        '#',
        "'",
        '"',
        'yes',
        '2026-01-01',
        '.5',
        '1.',
        '<<',
        '10.0.0.1',
        '1.5Gi',
        '0o7',
        '007',
        '1_0',
        '-',
        '0x',
      ),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
    ),
    node: fc.oneof(
      { maxDepth: 4 },
      tie('scalar'),
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(
        fc.oneof(fc.string({ maxLength: 5 }), fc.constantFrom('a', 'b.c/d', '1', 'on')),
        tie('node'),
        { maxKeys: 3 },
      ),
    ),
  })).node;
  const map = fc.dictionary(fc.constantFrom('kind', 'spec', 'items'), value, { minKeys: 1 });

  it('is read as the real parser reads it, or not at all', () => {
    let read = 0;
    fc.assert(
      fc.property(map, (written) => {
        const text = stringify(written, { indentSeq: false, lineWidth: 0 });
        const found = readPlainYaml(text);
        if (found === unusual) return;
        read += 1;
        expect(JSON.stringify(found)).toBe(JSON.stringify(real(text)));
      }),
      { numRuns: 800 },
    );
    expect(read).toBeGreaterThan(200);
  });

  it('that was damaged is never read as something else', () => {
    const damage = fc.array(
      fc.tuple(fc.nat(pod.length), fc.constantFrom(...' \n-:"\'#{}[]a1.|>&*!?,<\\')),
      { minLength: 1, maxLength: 3 },
    );
    fc.assert(
      fc.property(damage, (places) => {
        let text = pod;
        for (const [place, character] of places) {
          text = text.slice(0, place) + character + text.slice(place + (place % 2));
        }
        const found = readPlainYaml(text);
        if (found !== unusual) expect(JSON.stringify(found)).toBe(JSON.stringify(real(text)));
      }),
      { numRuns: 1200 },
    );
  });
});
