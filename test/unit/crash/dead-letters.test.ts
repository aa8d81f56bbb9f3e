import { describe, expect, it } from 'vitest';
import {
  memoryDeadLetterQueue,
  memoryLetterStore,
} from '#adapters/memory/memory-dead-letter-queue.ts';
import type { DeadLetterQueue } from '#ports/dead-letter-queue.ts';
import { type CrashReport, crashEverywhere } from '../../crash/crash-cases.ts';
import { lettersStage } from '../../crash/dead-letters/letters-stage.ts';
import { operations } from '../../crash/operations.ts';
import { tableOf } from '../../crash/table.ts';

type Store = ReturnType<typeof memoryLetterStore>;

/** Retries two letters with such a queue; every step of it may fail. */
const crash = (queueOf: (store: Store) => DeadLetterQueue): Promise<CrashReport> => {
  const operation = operations.find(({ name }) => name === 'deadletters-retry');
  if (operation === undefined) throw new Error('deadletters-retry is not listed');
  const stage = () => {
    const store = memoryLetterStore();
    for (const body of ['a', 'b']) store.file({ body, sentAtMs: 0 });
    const { take, sendBack, remove } = store;
    const world = {
      network: 'main',
      queue: (through) =>
        queueOf({ ...store, ...through({ store: { take, sendBack, remove } }).store }),
      dead: async () => store.bodies(),
      back: async () => store.source(),
      elapse: async () => {},
      close: async () => {},
    } satisfies Parameters<typeof lettersStage>[0][number];
    return lettersStage([world], undefined);
  };
  return crashEverywhere({ name: 'two', about: 'two letters', stage }, operation);
};

const caseOf = ({ cases }: CrashReport, call: string, fault: string) =>
  cases.find((each) => each.call === call && each.fault === fault);

/** The wrong order: cut off in between, the message is nowhere. */
const removingFirst = (store: Store): DeadLetterQueue => ({
  ...memoryDeadLetterQueue(store),
  retry: async ({ limit }) => {
    const retried = await store.take(limit);
    for (const { id, body } of retried) {
      await store.remove(id);
      await store.sendBack(body);
    }
    return { retried, left: 0 };
  },
});

describe('dead letters that are retried', () => {
  it('come twice where the command dies between sending and deleting, which is told and no difference', async () => {
    const report = await crash(memoryDeadLetterQueue);
    expect(report.cases.filter(({ differences }) => differences.length > 0)).toEqual([]);
    expect(caseOf(report, 'store.sendBack 1', 'killed after')?.notes).toEqual([
      'doubled: 1 instead of 0',
    ]);
    expect(caseOf(report, 'store.remove 1', 'killed after')?.notes).toEqual([]);
    expect(tableOf(report)).toContain('    doubled: 1 instead of 0');
  });

  it('are missed where they are deleted before they are sent', async () => {
    const report = await crash(removingFirst);
    expect(caseOf(report, 'store.remove 1', 'killed after')?.differences).toEqual([
      'back: ["b"] instead of ["a","b"]',
      'lost: ["a"] instead of []',
    ]);
  });
});
