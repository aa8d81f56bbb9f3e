import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { packJson } from '#adapters/aws/packed-json.ts';
import { rememberedPods } from '#scaling/launches-for-pods.ts';
import type { LedgerEntry } from '#scaling/ledger.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** As the API server makes them: 122 bits that do not pack. */
const uid = (index: number): string =>
  hash(`pod ${index}`).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');

it('a ledger entry with all that it may remember fits an item of DynamoDB', async () => {
  const nowMs = Date.UTC(2026, 0, 5);
  const remembered = Array.from({ length: rememberedPods }, (_, index) => uid(index));
  const entry: Required<Pick<LedgerEntry, 'launchesFor' | 'openLaunches' | 'intent'>> &
    LedgerEntry = {
    group: 'g'.repeat(255),
    generation: 1_000_000,
    instances: Object.fromEntries(
      Array.from({ length: 1000 }, (_, index) => [
        `i-${hash(`instance ${index}`).slice(0, 17)}`,
        { firstSeenMs: nowMs + index * 977, usableAtMs: nowMs + index * 1_009 },
      ]),
    ),
    launchesFor: Object.fromEntries(remembered.map((each) => [each, 2])),
    openLaunches: Object.fromEntries(remembered.map((each) => [each, nowMs])),
    intent: {
      id: `cluster/${'g'.repeat(255)}/1000000`,
      from: 0,
      to: 1000,
      atMs: nowMs,
      decision: 'cluster/scale-up/1000000',
      // Other pods than those remembered from before.
      pods: Array.from({ length: rememberedPods }, (_, index) => uid(1_000_000 + index)),
    },
  };
  expect((await packJson(entry)).length).toBeLessThan(380 * 1024);
});
