import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excerptOf } from '#operations/excerpt.ts';

/** Pieces of what an excerpt looks for: in a row they make a careless expression try them over and over. */
const pieces = [
  'token-',
  'token',
  'pass',
  'api_key',
  'name":"token',
  'value":',
  'eyJ',
  'bearer ',
  '-----BEGIN',
  '-----END',
  '://',
  '://a:',
  'a@',
  '{',
  '["',
  '"',
  "'",
  '\\',
  '\\"',
  ' ',
  '\n',
  '=',
  ':',
  '|',
  ',',
];

const repeated = fc
  .tuple(fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 4 }), fc.nat(20_000))
  .map(([row, times]) => row.join('').repeat(times));

const hostile = fc
  .array(fc.oneof(repeated, fc.string({ unit: 'binary' }), fc.constantFrom(...pieces)), {
    maxLength: 4,
  })
  .map((parts) => parts.join(''));

describe('the excerpt of any text', () => {
  // Without a limit on the time: an expression that tries again and again takes minutes here.
  it.each(pieces)('comes at once, however often it says %j', (piece) => {
    expect([...excerptOf(piece.repeat(20_000))].length).toBeLessThanOrEqual(200);
  });

  it('comes at once, and is one short line', () => {
    fc.assert(
      fc.property(hostile, (body) => {
        const excerpt = excerptOf(body);
        expect([...excerpt].length).toBeLessThanOrEqual(200);
        expect(excerpt).not.toMatch(/[\r\n]/);
      }),
    );
  });

  it('has no secret, whatever surrounds it', () => {
    const forms = [
      '{"clientKey":"hunter2"}',
      '{"name":"DB_PASSWORD","value":"hunter2"}',
      'client-key-data: hunter2',
      'https://user:hunter2@host',
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...forms),
        fc.string({ maxLength: 40 }),
        fc.string({ maxLength: 40 }),
        (form, before, after) => {
          expect(excerptOf(`${before} ${form} ${after}`)).not.toContain('hunter2');
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
