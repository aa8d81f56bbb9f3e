import { describe, expect, it } from 'vitest';
import type { DeadLetter, DeadLetters } from '#ports/dead-letters.ts';

export interface DeadLetterAdapters {
  readonly deadLetters: DeadLetters;
  /** All that was recorded, in any order. */
  letters(): Promise<readonly DeadLetter[]>;
}

/** What every DeadLetters does. */
export function describeDeadLettersContract(
  name: string,
  makeAdapters: () => DeadLetterAdapters | Promise<DeadLetterAdapters>,
): void {
  describe(`DeadLetters: ${name}`, () => {
    it('keeps a message byte for byte, with what is wrong with it', async () => {
      const { deadLetters, letters } = await makeAdapters();
      const letter = {
        body: '{"detail":\n\t{ "cluster" : "ä<&>\\u0000" } }  not even JSON ☃ ',
        code: 'schema',
        message: 'detail.network is missing: send "network".',
      };
      await deadLetters.record(letter);
      expect(await letters()).toEqual([letter]);
    });

    it('keeps every message, also the same one twice', async () => {
      const { deadLetters, letters } = await makeAdapters();
      const letter = { body: '{}', code: 'schema', message: 'empty' };
      await deadLetters.record(letter);
      await deadLetters.record(letter);
      await deadLetters.record({ ...letter, body: '[]' });
      const bodies = (await letters()).map(({ body }) => body);
      expect(bodies.toSorted()).toEqual(['[]', '{}', '{}']);
    });
  });
}
