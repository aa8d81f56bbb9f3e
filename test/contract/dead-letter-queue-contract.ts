import { describe, expect, it } from 'vitest';
import type { DeadLetterQueue } from '#ports/dead-letter-queue.ts';

export interface DeadLetterQueueAdapters {
  readonly queue: DeadLetterQueue;
  file(letter: {
    readonly body: string;
    readonly code: string;
    readonly message: string;
  }): Promise<void>;
  /** Bodies in the queue that letters are sent back to. */
  source(): Promise<readonly string[]>;
}

const letterOf = (body: string) => ({ body, code: 'schema', message: `${body} is wrong` });

/** What every DeadLetterQueue does. */
export function describeDeadLetterQueueContract(
  name: string,
  makeAdapters: () => DeadLetterQueueAdapters | Promise<DeadLetterQueueAdapters>,
): void {
  describe(`DeadLetterQueue: ${name}`, () => {
    const filed = async (count: number): Promise<DeadLetterQueueAdapters> => {
      const adapters = await makeAdapters();
      for (let index = 0; index < count; index += 1) await adapters.file(letterOf(`body-${index}`));
      return adapters;
    };
    const bodiesOf = (letters: readonly { readonly body: string }[]): readonly string[] =>
      letters.map(({ body }) => body).toSorted();

    it('reads letters and leaves them there, so that the next reading sees them at once', async () => {
      const { queue } = await filed(23);
      for (let reading = 0; reading < 2; reading += 1) {
        const letters = await queue.list(100);
        expect(letters).toHaveLength(23);
        expect(new Set(letters.map(({ id }) => id)).size).toBe(23);
        const [one] = letters.filter(({ body }) => body === 'body-7');
        expect(one).toMatchObject({ code: 'schema', message: 'body-7 is wrong' });
        expect(one?.sentAtMs).toBeGreaterThan(0);
      }
      expect(await queue.count()).toEqual({ total: 23, inFlight: 0 });
    });

    it('reads no more than asked for, and gives the others back', async () => {
      const { queue } = await filed(12);
      expect(await queue.list(3)).toHaveLength(3);
      expect(await queue.list(100)).toHaveLength(12);
    });

    it('sends back what is wanted and keeps the rest', async () => {
      const { queue, source } = await filed(4);
      const told: string[] = [];
      const result = await queue.retry({
        wanted: ({ body }) => body === 'body-2',
        limit: 100,
        onRetried: ({ body }) => told.push(body),
      });
      expect(bodiesOf(result.retried)).toEqual(['body-2']);
      expect(result.left).toBe(3);
      expect(told).toEqual(['body-2']);
      expect(await source()).toEqual(['body-2']);
      expect(bodiesOf(await queue.list(100))).toEqual(['body-0', 'body-1', 'body-3']);
    });

    it('sends back no more than the limit', async () => {
      const { queue, source } = await filed(15);
      const { retried } = await queue.retry({ wanted: () => true, limit: 11 });
      expect(retried).toHaveLength(11);
      expect(await source()).toHaveLength(11);
      expect((await queue.count()).total).toBe(4);
    });

    it('ends early once it has found enough', async () => {
      const { queue } = await filed(5);
      let found = 0;
      const { retried } = await queue.retry({
        wanted: () => true,
        limit: 100,
        enough: () => found > 0,
        onRetried: () => {
          found += 1;
        },
      });
      expect(retried).toHaveLength(1);
      expect(await queue.list(100)).toHaveLength(4);
    });

    it('is empty when nothing was filed', async () => {
      const { queue } = await filed(0);
      expect(await queue.list(10)).toEqual([]);
      expect(await queue.retry({ wanted: () => true, limit: 10 })).toEqual({
        retried: [],
        left: 0,
      });
    });
  });
}
