import { describe, expect, it } from 'vitest';
import { packHead, unpackHead } from '#adapters/aws/journal-head-item.ts';
import type { JournalHead } from '#ports/journal.ts';

const headOf = (pods: number) => ({
  generation: 3,
  digest: 'd',
  told: Object.fromEntries(
    Array.from({ length: pods }, (_, index) => [
      `uid-${index}`,
      { digest: `${index * 7919}`, atMs: index },
    ]),
  ),
});

describe('journal head as an item', () => {
  it('comes back as it went, in the same order', async () => {
    const head = headOf(50);
    expect(JSON.stringify(await unpackHead(await packHead(head)))).toBe(JSON.stringify(head));
  });

  it('keeps how far telling came, what was paged and whether the cluster was quiet', async () => {
    const head: JournalHead = {
      ...headOf(2),
      toldUpTo: 'uid-1',
      paged: { 'group-launches-fail/group g': 7, 'launches-without-binding/pod a/b': 8 },
      quiet: true,
    };
    expect(JSON.stringify(await unpackHead(await packHead(head)))).toBe(JSON.stringify(head));
  });

  it('holds what thousands of pods were told in one item', async () => {
    const head = headOf(10_000);
    expect(await unpackHead(await packHead(head))).toEqual(head);
  });

  it('forgets the oldest words where they do not fit, and only as many as it must', async () => {
    const item = await packHead(headOf(1_000), 4_000);
    expect(item.told?.B?.length).toBeLessThanOrEqual(4_000);
    const times = Object.values((await unpackHead(item)).told).map(({ atMs }) => atMs);
    expect(times.length).toBeGreaterThan(200);
    expect(Math.min(...times)).toBe(1_000 - times.length);
  });
});
