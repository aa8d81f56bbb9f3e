import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { knownClusters } from '#adapters/kubernetes/known-clusters.ts';
import { kubernetesClusterApi } from '#adapters/kubernetes/kubernetes-cluster-api.ts';
import { type Change, changingList } from '../helpers/changing-list.ts';

const change: fc.Arbitrary<Change> = fc.record({
  name: fc.integer({ min: 0, max: 8 }),
  kind: fc.constantFrom('create', 'modify', 'delete'),
  skip: fc.integer({ min: 0, max: 3 }),
});
const changes = fc.array(change, { maxLength: 12 });

const versionOf = (line: string): number =>
  Number(JSON.parse(line).object.metadata.resourceVersion);

type Distortion = (lines: readonly string[], at: number, proven: number) => readonly string[];

/** What a network or a server may do to the lines of a watch, by a number that says where. */
const distortions: Readonly<Record<string, Distortion>> = {
  none: (lines: readonly string[]) => lines,
  cut: (lines: readonly string[], at: number) => lines.slice(0, at % (lines.length + 1)),
  'cut within a line': (lines: readonly string[], at: number) =>
    lines.map((line, index) => (index === at % lines.length ? line.slice(0, -9) : line)),
  swap: (lines: readonly string[], at: number, proven: number) => {
    // A server that told the proof before what it proves could never be seen through.
    const before = lines.filter((line) => versionOf(line) < proven);
    const first = at % Math.max(1, before.length - 1);
    const [one, two] = [before[first], before[first + 1]];
    if (one === undefined || two === undefined) return lines;
    return lines.with(first, two).with(first + 1, one);
  },
  repeat: (lines: readonly string[], at: number) => {
    const index = at % lines.length;
    return [...lines.slice(0, index + 1), ...lines.slice(index)];
  },
  'lose an addition or deletion': (lines: readonly string[], at: number) => {
    const told = lines.flatMap((line, index) => (/"(ADDED|DELETED)"/.test(line) ? [index] : []));
    const lost = told[at % Math.max(1, told.length)];
    return lines.filter((_, index) => index !== lost);
  },
  'no bookmark': (lines: readonly string[]) => lines.filter((line) => !line.includes('BOOKMARK')),
  'an error': (lines: readonly string[], at: number) =>
    lines.with(at % lines.length, '{"type":"ERROR","object":{"code":410,"reason":"Expired"}}'),
  'no version': (lines: readonly string[], at: number) =>
    lines.with(at % lines.length, '{"type":"MODIFIED","object":{"metadata":{"uid":"uid-1"}}}'),
};
const distortion = fc.constantFrom(...Object.keys(distortions));

const look = fc.record({
  before: changes,
  meanwhile: changes,
  distortion,
  at: fc.nat(50),
});

describe('following the changes of a list', () => {
  it('gives what a list would have given, whatever happens on the way', async () => {
    let followed = 0;
    let listed = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 6 }),
        fc.array(look, { minLength: 1, maxLength: 4 }),
        async (first, looks) => {
          const server = changingList(first);
          const known = knownClusters().of('a');
          const options = { known, followFrom: 0, nowMs: () => 0 };
          const following = kubernetesClusterApi(server.client, options);
          const listing = kubernetesClusterApi(server.client);
          await following.snapshot();
          for (const { before, meanwhile, distortion: name, at } of looks) {
            for (const each of before) server.apply(each);
            server.distort((lines, proven) => distortions[name]?.(lines, at, proven) ?? lines);
            server.meanwhile(meanwhile);
            server.asked.length = 0;
            const seen = await following.snapshot();
            const anew = server.asked.includes('/api/v1/pods list');
            if (anew) listed += 1;
            else followed += 1;
            server.meanwhile([]);
            // What came between the proof and the list must be in the next look at the latest.
            if (anew || meanwhile.length === 0) {
              expect(seen).toEqual(await listing.snapshot());
            }
            server.distort((lines) => lines);
            expect(await following.snapshot()).toEqual(await listing.snapshot());
          }
        },
      ),
      { numRuns: 300 },
    );
    // Both ways were taken, or this has shown nothing.
    expect(followed).toBeGreaterThan(50);
    expect(listed).toBeGreaterThan(50);
  });
});
