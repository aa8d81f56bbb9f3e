import { describe, expect, it } from 'vitest';
import { memoryDeadLetterQueue } from '#adapters/memory/memory-dead-letter-queue.ts';
import { listDeadLetters, retryDeadLetters } from '#operations/dead-letters.ts';

const nowMs = Date.UTC(2026, 7, 21, 10);
const clock = { nowMs: () => nowMs };

const boxes = () => {
  const main = memoryDeadLetterQueue();
  const other = memoryDeadLetterQueue();
  main.file({ body: 'late', code: 'schema', message: 'm', sentAtMs: nowMs - 60_000 });
  main.file({ body: 'early', sentAtMs: nowMs - 3_600_000 });
  other.file({ body: '{"token":"abc"}', code: 'x', message: 'n', sentAtMs: nowMs });
  return {
    main,
    other,
    both: [
      { network: 'main', queue: main },
      { network: '-', queue: other },
    ],
  };
};

describe('listing dead letters', () => {
  it('gives them by network, oldest first, with age, reason and a body without secrets', async () => {
    const { letters, more } = await listDeadLetters(boxes().both, 10, clock);
    expect(letters.map(({ network, body, ageSeconds }) => [network, body, ageSeconds])).toEqual([
      ['main', 'early', 3600],
      ['main', 'late', 60],
      ['-', '{"token":[redacted]}', 0],
    ]);
    expect(letters[0]).toMatchObject({ code: 'retriesExhausted', sentAt: '2026-08-21T09:00:00Z' });
    expect(letters[0]?.message).toMatch(/log of the function/);
    expect(more).toBe(false);
  });

  it('cuts what a letter says of itself as it cuts the body, and takes secrets out of it', async () => {
    const queue = memoryDeadLetterQueue();
    const message = `url: https://user:hunter2@host is no address; ${'x'.repeat(1_000)}`;
    queue.file({ body: 'b', code: `c${'x'.repeat(1_000)}`, message, sentAtMs: nowMs });
    const [line] = (await listDeadLetters([{ network: 'main', queue }], 10, clock)).letters;
    expect(line?.message).toMatch(/^url: https:\/\/\[redacted\]@host is no address; x+…$/);
    expect(line?.message).toHaveLength(200);
    expect(line?.code).toHaveLength(200);
  });

  it('says that there may be more where the limit was reached', async () => {
    const { letters, more } = await listDeadLetters(boxes().both, 2, clock);
    expect([letters.length, more]).toEqual([2, true]);
  });
});

describe('retrying dead letters', () => {
  it('sends back the one that is named, wherever it is, and no other', async () => {
    const { main, other, both } = boxes();
    const [, id = ''] = (await main.list(10)).map((letter) => letter.id);
    const result = await retryDeadLetters(both, { ids: [id], limit: 100 }, clock);
    expect(result.retried.map(({ id: sent }) => sent)).toEqual([id]);
    expect(result.notFound).toEqual([]);
    expect([await main.count(), await other.count()]).toEqual([1, 1]);
    expect(main.source()).toEqual(['early']);
  });

  it('names what it did not find', async () => {
    const result = await retryDeadLetters(boxes().both, { ids: ['nowhere'], limit: 100 }, clock);
    expect(result).toMatchObject({ retried: [], notFound: ['nowhere'] });
  });

  it('sends back all that are there now, and tells of each as it goes', async () => {
    const { main, other, both } = boxes();
    const told: string[] = [];
    const onRetried = ({ body }: { readonly body: string }) => void told.push(body);
    const result = await retryDeadLetters(both, { limit: 100, onRetried }, clock);
    expect(result.retried).toHaveLength(3);
    expect(told).toEqual(['late', 'early', '{"token":[redacted]}']);
    expect([await main.count(), await other.count()]).toEqual([0, 0]);
    expect(result.more).toBe(false);
  });

  it('stops at its limit and says that there is more', async () => {
    const { main, both } = boxes();
    const result = await retryDeadLetters(both, { limit: 1 }, clock);
    expect(result.more).toBe(true);
    expect(await main.count()).toBe(1);
  });
});
