import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

const attempts = 8;
const firstWaitMs = 25;
const longestWaitMs = 400;

/**
 * Sends again what DynamoDB refused only because another request touched the same item in that moment, after a
 * wait drawn by lot (25 ms, doubling to 400 ms at most), up to eight times. The SDK repeats neither a cancelled
 * transaction nor a single write that met one. `isContention` tells the refusals.
 */
export async function throughContention<Answer>(
  send: () => Promise<Answer>,
  isContention: (error: unknown) => boolean,
): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      if (attempt === attempts || !isContention(error)) throw error;
    }
    // By lot, so that those who met once do not meet again in step.
    await sleep(randomInt(Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt - 1)) + 1));
  }
}
