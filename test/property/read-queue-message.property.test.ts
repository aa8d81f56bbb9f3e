import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readQueueMessage } from '../../functions/scale-up/read-queue-message.ts';
import { sampleNames, sampleText } from '../helpers/event-samples.ts';

const kinds = ['hint', 'look', 'sweep', 'heartbeat', 'ignored', 'malformed'];
const longestRemark = 2_000;

/** What holds of whatever is read. */
const check = (body: string): void => {
  const message = readQueueMessage({ body });
  expect(kinds).toContain(message.kind);
  if (message.kind !== 'malformed') return;
  expect(message.message.length).toBeLessThan(longestRemark);
  expect(message.message).not.toContain('\n');
};

const samples = sampleNames.map((name) => JSON.parse(sampleText(name)) as Record<string, unknown>);

/** Every place in a value: the keys that lead to it. */
const placesOf = (value: unknown, path: readonly string[] = []): readonly (readonly string[])[] => [
  path,
  ...(typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, each]) => placesOf(each, [...path, key]))
    : []),
];

const replaced = (value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown => {
  if (key === undefined) return by;
  const fields = value as Record<string, unknown>;
  return { ...fields, [key]: replaced(fields[key], rest, by) };
};

/** A sample with something else in one of its places. */
const spoiled = fc
  .constantFrom(...samples)
  .chain((sample) =>
    fc
      .tuple(fc.constantFrom(...placesOf(sample)), fc.jsonValue())
      .map(([place, by]) => replaced(sample, place, by)),
  );

describe('readQueueMessage', () => {
  it('reads any text without throwing', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), check));
  });

  it('reads any bytes without throwing', () => {
    const bytes = fc.uint8Array({ maxLength: 300 });
    fc.assert(fc.property(bytes, (each) => check(Buffer.from(each).toString('utf8'))));
  });

  it('reads any JSON without throwing', () => {
    fc.assert(fc.property(fc.json({ maxDepth: 6 }), check));
  });

  it('reads samples with anything in any place without throwing', () => {
    fc.assert(
      fc.property(spoiled, (envelope) => check(JSON.stringify(envelope))),
      { numRuns: 1_000 },
    );
  });

  it('reads what is nested as deep as a message can be', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    check(deep);
    check(`{"detail-type":${deep}}`);
    check(`{"detail-type":"Pod Pending","source":"outrider.cluster.a","detail":${deep}}`);
    const detail = `{"cluster":"a","network":"n","details":${deep},"event":${JSON.stringify(deep)}}`;
    check(`{"detail-type":"Kubernetes Event","source":"outrider.cluster.a","detail":${detail}}`);
  });

  it('follows nothing from beside a cluster that names another one than its source', () => {
    const names = fc.string({ unit: 'binary', minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(fc.constantFrom(...samples), names, names, (sample, own, claimed) => {
        const envelope = {
          ...sample,
          source: `outrider.cluster.${own}`,
          detail: { ...(sample.detail as object), cluster: claimed },
        };
        const message = readQueueMessage({ body: JSON.stringify(envelope) });
        check(JSON.stringify(envelope));
        if (own !== claimed) expect(message.kind).toBe('malformed');
        else if ('cluster' in message) expect(message.cluster).toBe(own);
      }),
    );
  });
});
