import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';
import { describe, expect, it, vi } from 'vitest';
import type { DeadLetter } from '#ports/dead-letters.ts';
import { PortError } from '#ports/port-error.ts';
import type { LookOutcome, ScaleUpService } from '#wiring/scale-up.ts';
import { createHandler } from '../../../functions/scale-up/create-handler.ts';
import {
  heartbeat,
  keepingLogger,
  lambdaContext,
  look,
  podPending,
  sqsEvent,
  sqsRecord,
  sweep,
} from './queue-messages.ts';

/** `hangs`: the look never ends. */
type Look = (cluster: string) => Partial<LookOutcome> | Error | 'hangs';

/** A service whose looks end as told, and a record of what was asked of it. */
const serviceThat = (look: Look, overrides: Partial<ScaleUpService> = {}) => {
  const looks: string[] = [];
  const letters: DeadLetter[] = [];
  const failedLooks: string[] = [];
  const returned: { receiptHandle: string; seconds: number }[] = [];
  const service: ScaleUpService = {
    sweep: async () => 3,
    heartbeat: async () => true,
    scaleUp: async (cluster, { trigger }) => {
      looks.push(`${cluster} ${trigger}`);
      const outcome = look(cluster);
      if (outcome instanceof Error) throw outcome;
      if (outcome === 'hangs') return new Promise(() => {});
      return { cluster, status: 'done', raised: 0, groups: [], ...outcome };
    },
    lookFailed: (cluster) => failedLooks.push(cluster),
    deadLetters: {
      record: async (letter) => {
        letters.push(letter);
      },
    },
    returnLater: async (receiptHandle, seconds) => {
      returned.push({ receiptHandle, seconds });
    },
    ...overrides,
  };
  return { service, looks, letters, returned, failedLooks };
};

const run = async (
  service: ScaleUpService | (() => Promise<ScaleUpService>),
  records: SQSRecord[],
  remainingMs?: number,
): Promise<{ failed: string[]; lines: Record<string, unknown>[] }> => {
  const { logger, lines } = keepingLogger();
  const handler = createHandler(
    typeof service === 'function' ? service : async () => service,
    logger,
  );
  const response: SQSBatchResponse = await handler(
    sqsEvent(...records),
    lambdaContext(remainingMs),
  );
  return { failed: response.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier), lines };
};

/** Runs a batch with the whole life of an invocation, whose time passes at once. */
const runUntilLate = async (service: ScaleUpService, records: SQSRecord[]) => {
  vi.useFakeTimers();
  try {
    const ended = run(service, records);
    await vi.advanceTimersByTimeAsync(30_000);
    return await ended;
  } finally {
    vi.useRealTimers();
  }
};

const done: Look = () => ({ status: 'done' });

describe('scale-up', () => {
  it('looks once at a cluster that many hints name and deletes them all', async () => {
    const { service, looks } = serviceThat(done);
    const { failed } = await run(service, [
      sqsRecord('1', podPending('alpha')),
      sqsRecord('2', podPending('alpha')),
      sqsRecord('3', podPending('beta')),
    ]);
    expect(looks).toEqual(['alpha pod-pending', 'beta pod-pending']);
    expect(failed).toEqual([]);
  });

  it('sends a sweep out to every cluster of the network, and looks at none for it', async () => {
    const sent: string[] = [];
    const { service, looks } = serviceThat(done, {
      sweep: async () => {
        sent.push('sweep');
        return 3;
      },
    });
    const { failed } = await run(service, [
      sqsRecord('1', sweep),
      sqsRecord('2', podPending('beta')),
    ]);
    expect(sent).toEqual(['sweep']);
    expect(looks).toEqual(['beta pod-pending']);
    expect(failed).toEqual([]);
  });

  it('gives a sweep back that could not be sent out', async () => {
    const { service } = serviceThat(done, {
      sweep: () => Promise.reject(new PortError('throttled', 'SendMessageBatch')),
    });
    expect((await run(service, [sqsRecord('1', sweep)])).failed).toEqual(['1']);
  });

  it.each([
    ['a hint before all else', ['sweep', 'hint', 'unfinished'], 'pod-pending'],
    ['what is unfinished before a sweep', ['sweep', 'unfinished', 'marked'], 'unfinished'],
    ['a sweep before a mark', ['marked', 'sweep'], 'sweep'],
  ])('takes one look for all messages of a cluster: %s', async (_, kinds, trigger) => {
    const { service, looks } = serviceThat(done);
    const records = kinds.map((kind, index) =>
      sqsRecord(`${index}`, kind === 'hint' ? podPending('alpha') : look('alpha', kind)),
    );
    expect((await run(service, records)).failed).toEqual([]);
    expect(looks).toEqual([`alpha ${trigger}`]);
  });

  it('deletes a hint that left a mark with the holder of the lease', async () => {
    const { service } = serviceThat(() => ({ status: 'marked' }));
    expect((await run(service, [sqsRecord('1', podPending('alpha'))])).failed).toEqual([]);
  });

  it('gives a hint that got neither lease nor mark back to the queue in a few seconds', async () => {
    const { service, returned } = serviceThat(() => ({ status: 'held' }));
    const { failed } = await run(service, [sqsRecord('1', podPending('alpha'))]);
    expect(failed).toEqual(['1']);
    expect(returned).toHaveLength(1);
    expect(returned[0]?.receiptHandle).toBe('receipt-1');
    expect(returned[0]?.seconds).toBeGreaterThanOrEqual(1);
    expect(returned[0]?.seconds).toBeLessThanOrEqual(2);
  });

  it('gives it back even where its return cannot be hastened', async () => {
    const { service } = serviceThat(() => ({ status: 'held' }), {
      returnLater: async () => {
        throw new Error('receipt handle expired');
      },
    });
    expect((await run(service, [sqsRecord('1', podPending('alpha'))])).failed).toEqual(['1']);
  });

  it('keeps the failure of one cluster away from the others', async () => {
    const { service, looks } = serviceThat((cluster) =>
      cluster === 'alpha' ? new Error('connect ECONNREFUSED') : { status: 'done' },
    );
    const { failed, lines } = await run(service, [
      sqsRecord('1', podPending('alpha')),
      sqsRecord('2', podPending('beta')),
    ]);
    expect(looks).toEqual(['alpha pod-pending', 'beta pod-pending']);
    expect(failed).toEqual(['1']);
    expect(JSON.stringify(lines)).toContain('ECONNREFUSED');
  });

  it.each([
    ['not JSON', 'oh no', 'notJson'],
    ['an unknown kind', { ...podPending('alpha'), 'detail-type': 'Pod Happy' }, 'unknownKind'],
    ['no object', 'null', 'unknownKind'],
    ['a broken schema', { ...podPending('alpha'), detail: { cluster: 'alpha' } }, 'schema'],
    ['a sweep of no network', { ...sweep, detail: {} }, 'schema'],
    [
      'the source of another cluster',
      podPending('alpha', 'outrider.cluster.beta'),
      'sourceMismatch',
    ],
  ])(
    'records a message with %s as a dead letter, deletes it and goes on',
    async (_, body, code) => {
      const { service, looks, letters } = serviceThat(done);
      const bad = sqsRecord('bad', body);
      const { failed } = await run(service, [bad, sqsRecord('good', podPending('beta'))]);
      expect(letters).toEqual([{ body: bad.body, code, message: expect.stringContaining(':') }]);
      expect(looks).toEqual(['beta pod-pending']);
      expect(failed).toEqual([]);
    },
  );

  it('gives a malformed message back where it cannot be recorded', async () => {
    const { service } = serviceThat(done, {
      deadLetters: {
        record: async () => {
          throw new Error('throttled');
        },
      },
    });
    expect((await run(service, [sqsRecord('1', 'oh no')])).failed).toEqual(['1']);
  });

  it('records a hint for a cluster that is not configured, with the remedy', async () => {
    const { service, letters } = serviceThat(() => ({ status: 'unknownCluster' }));
    const { failed } = await run(service, [sqsRecord('1', podPending('stray'))]);
    expect(failed).toEqual([]);
    expect(letters[0]?.code).toBe('unknownCluster');
    expect(letters[0]?.message).toMatch(/stray.*outrider\.yaml/);
  });

  it('returns what failed for now and records what failed for good', async () => {
    const { service, letters } = serviceThat((cluster) => ({
      status: 'failed',
      error:
        cluster === 'alpha'
          ? { code: 'throttled', message: 'slow down', retryable: true }
          : { code: 'forbidden', message: 'the token is refused', retryable: false },
    }));
    const { failed } = await run(service, [
      sqsRecord('1', podPending('alpha')),
      sqsRecord('2', podPending('beta')),
    ]);
    expect(failed).toEqual(['1']);
    expect(letters.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'forbidden beta: the token is refused',
    ]);
  });

  it('records what was thrown as permanent, with the cluster that it concerns', async () => {
    const { service, letters, failedLooks } = serviceThat(
      () => new PortError('notFound', 'no such secret'),
    );
    expect((await run(service, [sqsRecord('1', podPending('alpha'))])).failed).toEqual([]);
    expect(failedLooks).toEqual(['alpha']);
    expect(letters.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'notFound alpha: no such secret',
    ]);
  });

  it('gives back only the hint of a cluster that hangs, and settles all other messages', async () => {
    const { service, looks, letters, returned, failedLooks } = serviceThat((cluster) =>
      cluster === 'alpha' ? 'hangs' : { status: 'done' },
    );
    const records = [
      sqsRecord('hung', podPending('alpha')),
      sqsRecord('poison', 'oh no'),
      sqsRecord('fine', podPending('beta')),
    ];
    const { failed, lines } = await runUntilLate(service, records);
    expect(looks).toEqual(['alpha pod-pending', 'beta pod-pending']);
    expect(failed).toEqual(['hung']);
    expect(letters.map(({ code }) => code)).toEqual(['notJson']);
    expect(returned.map(({ receiptHandle }) => receiptHandle)).toEqual(['receipt-hung']);
    expect(failedLooks).toEqual(['alpha']);
    expect(JSON.stringify(lines)).not.toContain('whole batch');
  });

  it('buries malformed messages before any look begins', async () => {
    const seen: string[] = [];
    const { service } = serviceThat((cluster) => {
      seen.push(`look at ${cluster}`);
      return { status: 'done' };
    });
    const deadLetters = {
      record: async () => {
        seen.push('bury');
      },
    };
    await run({ ...service, deadLetters }, [
      sqsRecord('1', podPending('alpha')),
      sqsRecord('2', 'oh no'),
    ]);
    expect(seen).toEqual(['bury', 'look at alpha']);
  });

  it('keeps a dead letter queue that hangs away from the other messages', async () => {
    const { service } = serviceThat(done, {
      deadLetters: { record: () => new Promise(() => {}) },
    });
    const records = [sqsRecord('poison', 'oh no'), sqsRecord('fine', podPending('beta'))];
    expect((await runUntilLate(service, records)).failed).toEqual(['poison']);
  });

  it('gives a sweep back that hangs, and nothing else', async () => {
    const { service } = serviceThat(done, { sweep: () => new Promise(() => {}) });
    const records = [sqsRecord('sweep', sweep), sqsRecord('poison', 'oh no')];
    expect((await runUntilLate(service, records)).failed).toEqual(['sweep']);
  });

  it.each(['sweep', 'unfinished', 'marked'])(
    'lets its own message (%s) go that a cluster refuses for good, with an error in the log and no dead letter',
    async (because) => {
      const { service, letters, failedLooks } = serviceThat(
        () => new PortError('notFound', 'no such secret'),
      );
      const { failed, lines } = await run(service, [sqsRecord('1', look('alpha', because))]);
      expect(failed).toEqual([]);
      expect(letters).toEqual([]);
      expect(failedLooks).toEqual(['alpha']);
      const errors = lines.filter(({ level }) => level === 'error').map((line) => line.cluster);
      expect(errors).toEqual(['alpha']);
    },
  );

  it('buries the hint and lets its own message go where one batch holds both', async () => {
    const { service, letters } = serviceThat(() => new PortError('forbidden', 'no'));
    const records = [sqsRecord('1', look('beta', 'sweep')), sqsRecord('2', podPending('beta'))];
    expect((await run(service, records)).failed).toEqual([]);
    expect(letters.map(({ body }) => JSON.parse(body).source)).toEqual(['outrider.cluster.beta']);
  });

  it('leaves a cluster that fails for now to the next sweep, and keeps hints and wake-ups for it', async () => {
    const { service, letters } = serviceThat(() => new PortError('unavailable', 'away'));
    expect((await run(service, [sqsRecord('1', look('alpha', 'sweep'))])).failed).toEqual([]);
    expect((await run(service, [sqsRecord('1', look('alpha', 'marked'))])).failed).toEqual(['1']);
    expect((await run(service, [sqsRecord('1', podPending('alpha'), 8)])).failed).toEqual(['1']);
    expect(letters).toEqual([]);
  });

  it('keeps a sweep’s look that could not even begin', async () => {
    const { service, looks } = serviceThat(done);
    const records = [sqsRecord('1', look('alpha', 'sweep'))];
    expect((await run(service, records, 5_000)).failed).toEqual(['1']);
    expect(looks).toEqual([]);
  });

  it('counts a heartbeat, and takes no look for it', async () => {
    const beats: string[] = [];
    const { service, looks } = serviceThat(done, {
      heartbeat: async (cluster) => {
        beats.push(cluster);
        return true;
      },
    });
    expect((await run(service, [sqsRecord('1', heartbeat('alpha'))])).failed).toEqual([]);
    expect(beats).toEqual(['alpha']);
    expect(looks).toEqual([]);
  });

  it('records the heartbeat of a cluster that is not configured as a dead letter', async () => {
    const { service, letters } = serviceThat(done, { heartbeat: async () => false });
    expect((await run(service, [sqsRecord('1', heartbeat('stray'))])).failed).toEqual([]);
    expect(letters.map(({ code }) => code)).toEqual(['unknownCluster']);
  });

  it('begins no look that the remaining time cannot hold', async () => {
    const { service, looks } = serviceThat(done);
    const { failed } = await run(service, [sqsRecord('1', podPending('alpha'))], 5_000);
    expect(looks).toEqual([]);
    expect(failed).toEqual(['1']);
  });

  it('gives the whole batch back where the service cannot be built, and says why', async () => {
    const { failed, lines } = await run(async () => {
      throw new Error('the configuration is gone');
    }, [sqsRecord('1', podPending('alpha')), sqsRecord('2', 'oh no')]);
    expect(failed).toEqual(['1', '2']);
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'error',
        requestId: 'request-1',
        error: expect.objectContaining({ message: 'the configuration is gone' }),
      }),
    ]);
  });

  it('gives the whole batch back half a second before its time is up', async () => {
    const { service } = serviceThat(done);
    // Due at 200 ms, the answer comes before the service does at 400 ms; at 700 ms it would come after it.
    const slow = () =>
      new Promise<ScaleUpService>((resolve) => setTimeout(() => resolve(service), 400));
    const { failed, lines } = await run(slow, [sqsRecord('1', 'oh no')], 700);
    expect(failed).toEqual(['1']);
    expect(lines[0]?.message).toBe('the whole batch goes back to the queue');
  });
});
