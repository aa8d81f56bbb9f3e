import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { PortError } from '#ports/port-error.ts';
import { describeError } from '../../../functions/lib/errors.ts';
import { createLogger } from '../../../functions/lib/logger.ts';
import { oncePerProcess } from '../../../functions/lib/once-per-process.ts';
import { batchResponse, returnDelaySeconds } from '../../../functions/lib/partial-batch.ts';
import { within } from '../../../functions/lib/within.ts';
import { sqsRecord } from './queue-messages.ts';

describe('batchResponse', () => {
  it('deletes only messages whose fate is known to be so', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.uuid(), fc.constantFrom('ack', 'return', undefined)),
        (fates) => {
          const records = Object.keys(fates).map((id) => sqsRecord(id, ''));
          const known = Object.entries(fates).flatMap(([id, fate]) =>
            fate === undefined ? [] : [[id, fate as 'ack' | 'return'] as const],
          );
          const kept = batchResponse(records, new Map(known)).batchItemFailures;
          expect(kept.map(({ itemIdentifier }) => itemIdentifier)).toEqual(
            Object.keys(fates).filter((id) => fates[id] !== 'ack'),
          );
        },
      ),
    );
  });
});

describe('returnDelaySeconds', () => {
  it('doubles with every return up to half a minute, its upper half at random', () => {
    const range = [1, 2, 3, 4, 5, 9].map((count) => [
      returnDelaySeconds(sqsRecord('1', '', count), 0),
      returnDelaySeconds(sqsRecord('1', '', count), 0.999),
    ]);
    expect(range).toEqual([
      [1, 2],
      [2, 4],
      [4, 8],
      [8, 16],
      [15, 30],
      [15, 30],
    ]);
  });
});

describe('oncePerProcess', () => {
  it('builds once, and again only after a failure', async () => {
    let built = 0;
    const get = oncePerProcess(async () => {
      built += 1;
      if (built === 1) throw new Error('not yet');
      return built;
    });
    await expect(get()).rejects.toThrow('not yet');
    expect(await Promise.all([get(), get()])).toEqual([2, 2]);
    expect(await get()).toBe(2);
  });
});

describe('within', () => {
  it('gives what the work comes to, or throws what it throws, and leaves no timer behind', async () => {
    vi.useFakeTimers();
    try {
      expect(await within(Promise.resolve('done'), 1_000, 'late')).toBe('done');
      await expect(within(Promise.reject(new Error('no')), 1_000, 'late')).rejects.toThrow('no');
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('waits no longer than it may, whatever the work does afterwards', async () => {
    let fail = (_error: Error) => {};
    const work = new Promise<string>((_done, reject) => (fail = reject));
    expect(await within(work, 10, 'late')).toBe('late');
    expect(await within(work, -1, 'late')).toBe('late');
    fail(new Error('too late for anybody'));
  });
});

describe('createLogger', () => {
  it('writes one JSON document per line with what it carries', () => {
    const lines: string[] = [];
    createLogger((line) => lines.push(line))
      .with({ requestId: 'r' })
      .info('two\nlines', { cluster: 'alpha' });
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain('\n');
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      level: 'info',
      message: 'two\nlines',
      requestId: 'r',
      cluster: 'alpha',
    });
  });
});

describe('describeError', () => {
  it('keeps code and retryable of an error that has them, and retries the unknown', () => {
    const known = new PortError('forbidden', 'no');
    expect(describeError(known)).toEqual({
      code: 'forbidden',
      message: 'no',
      retryable: false,
      stack: known.stack,
    });
    expect(describeError(new Error('odd'))).toMatchObject({ code: 'unexpected', retryable: true });
    expect(describeError('text')).toEqual({ code: 'unexpected', message: 'text', retryable: true });
  });
});
