import { describe, expect, it } from 'vitest';
import { memoryDeadLetterQueue } from '#adapters/memory/memory-dead-letter-queue.ts';
import { listDeadLetters, retryDeadLetters } from '#operations/dead-letters.ts';
import type { DeadLetterQueue } from '#ports/dead-letter-queue.ts';
import { PortError, type PortErrorCode } from '#ports/port-error.ts';

const nowMs = Date.UTC(2026, 7, 21, 10);
const clock = { nowMs: () => nowMs };

const left = async (queue: DeadLetterQueue): Promise<number> => (await queue.count()).total;

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
    expect([await left(main), await left(other)]).toEqual([1, 1]);
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
    expect([await left(main), await left(other)]).toEqual([0, 0]);
    expect(result.more).toBe(false);
  });

  it('stops at its limit and says that there is more', async () => {
    const { main, both } = boxes();
    const result = await retryDeadLetters(both, { limit: 1 }, clock);
    expect(result.more).toBe(true);
    expect(await left(main)).toBe(1);
  });

  it('tells how many another reader has taken, and when they can be taken again', async () => {
    const { main, both } = boxes();
    main.hide(1);
    const result = await retryDeadLetters(both, { limit: 100 }, clock);
    expect(result.retried.map(({ body }) => body)).toEqual(['early', '{"token":[redacted]}']);
    expect(result.inFlight).toEqual([
      { network: 'main', count: 1, visibleBy: '2026-08-21T10:00:30Z' },
    ]);
    main.unhide();
    const again = await retryDeadLetters(both, { limit: 100 }, clock);
    expect(again).toMatchObject({ retried: [{ body: 'late' }], inFlight: [], more: false });
  });

  it('tells of none in flight that came into view meanwhile', async () => {
    const { main, both } = boxes();
    main.hide(2);
    const count = main.count;
    const late = {
      ...main,
      count: async () => {
        const counted = await count();
        main.unhide();
        return counted;
      },
    };
    const result = await retryDeadLetters(
      [{ network: 'main', queue: late }, ...both],
      { limit: 9 },
      clock,
    );
    expect([result.retried.length, result.inFlight]).toEqual([3, []]);
  });
});

describe('a queue of one network that cannot be asked', () => {
  const refused = (code: PortErrorCode): DeadLetterQueue => {
    const refuse = async () => {
      throw new PortError(code, 'GetQueueAttributes: refused');
    };
    return { list: refuse, retry: refuse, count: refuse };
  };
  const failed = [{ network: 'first', code: 'forbidden', message: 'GetQueueAttributes: refused' }];

  it('is told, and the letters of the networks after it are sent back', async () => {
    const { main, both } = boxes();
    const all = [{ network: 'first', queue: refused('forbidden') }, ...both];
    const result = await retryDeadLetters(all, { limit: 100 }, clock);
    expect([result.retried.length, result.failed]).toEqual([3, failed]);
    expect(main.source()).toEqual(['late', 'early']);
  });

  it('is told, and the letters of the networks after it are listed', async () => {
    const all = [{ network: 'first', queue: refused('forbidden') }, ...boxes().both];
    const result = await listDeadLetters(all, 100, clock);
    expect([result.letters.length, result.failed]).toEqual([3, failed]);
  });

  it('keeps what it sent back before it failed', async () => {
    const { main } = boxes();
    const dying: DeadLetterQueue = {
      ...main,
      retry: async (request) => {
        await main.retry({ ...request, limit: 1 });
        throw new PortError('throttled', 'ReceiveMessage: slow down');
      },
    };
    const result = await retryDeadLetters([{ network: 'main', queue: dying }], { limit: 9 }, clock);
    expect(result).toMatchObject({ retried: [{ body: 'late' }], failed: [{ code: 'throttled' }] });
  });

  it('that fails for a reason nobody knows ends the command', async () => {
    const broken = { ...boxes().main, count: () => Promise.reject(new TypeError('a bug')) };
    const all = [{ network: 'main', queue: broken }];
    await expect(retryDeadLetters(all, { limit: 9 }, clock)).rejects.toThrow('a bug');
  });
});
