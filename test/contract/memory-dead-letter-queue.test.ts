import { memoryDeadLetterQueue } from '#adapters/memory/memory-dead-letter-queue.ts';
import { describeDeadLetterQueueContract } from './dead-letter-queue-contract.ts';

describeDeadLetterQueueContract('memory', () => {
  const queue = memoryDeadLetterQueue();
  return {
    queue,
    file: async (letter) => queue.file({ ...letter, sentAtMs: 1_800_000_000_000 }),
    source: async () => queue.source(),
  };
});
