import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import type { DeadLetter } from '#ports/dead-letters.ts';
import type { LookOutcome, ScaleUpService } from '#wiring/scale-up.ts';
import { createHandler } from '../../../functions/scale-up/create-handler.ts';
import {
  keepingLogger,
  lambdaContext,
  podPending,
  sqsEvent,
  sqsRecord,
  sweep,
} from './queue-messages.ts';

type Look = (cluster: string) => Partial<LookOutcome> | Error;

/** A service whose looks end as told, and a record of what was asked of it. */
const serviceThat = (look: Look, overrides: Partial<ScaleUpService> = {}) => {
  const looks: string[] = [];
  const letters: DeadLetter[] = [];
  const returned: { receiptHandle: string; seconds: number }[] = [];
  const service: ScaleUpService = {
    clusters: async () => ['alpha', 'beta', 'gamma'],
    scaleUp: async (cluster, trigger) => {
      looks.push(`${cluster} ${trigger}`);
      const outcome = look(cluster);
      if (outcome instanceof Error) throw outcome;
      return { cluster, status: 'done', raised: 0, groups: [], ...outcome };
    },
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
  return { service, looks, letters, returned };
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

  it('looks at every cluster of the network for a sweep, and once only at one that is hinted at too', async () => {
    const { service, looks } = serviceThat(done);
    const { failed } = await run(service, [
      sqsRecord('1', sweep),
      sqsRecord('2', podPending('beta')),
    ]);
    expect(looks[0]).toBe('beta pod-pending');
    expect(looks.toSorted()).toEqual(['alpha sweep', 'beta pod-pending', 'gamma sweep']);
    expect(failed).toEqual([]);
  });

  it('gives a hint that met a held lease back to the queue in a few seconds', async () => {
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

  it('deletes a sweep that met a held lease, since the next sweep looks again', async () => {
    const { service } = serviceThat((cluster) => ({
      status: cluster === 'beta' ? 'held' : 'done',
    }));
    expect((await run(service, [sqsRecord('1', sweep)])).failed).toEqual([]);
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
    const refused = Object.assign(new Error('no such secret'), {
      code: 'notFound',
      retryable: false,
    });
    const { service, letters } = serviceThat(() => refused);
    expect((await run(service, [sqsRecord('1', podPending('alpha'))])).failed).toEqual([]);
    expect(letters.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'notFound alpha: no such secret',
    ]);
  });

  it('begins no look that the remaining time cannot hold', async () => {
    const { service, looks } = serviceThat(done);
    const { failed } = await run(service, [sqsRecord('1', podPending('alpha'))], 5_000);
    expect(looks).toEqual([]);
    expect(failed).toEqual(['1']);
  });

  it('follows hints where the list of clusters cannot be read, and keeps the sweep', async () => {
    const { service, looks } = serviceThat(done, {
      clusters: async () => {
        throw new Error('no such object');
      },
    });
    const { failed } = await run(service, [
      sqsRecord('1', sweep),
      sqsRecord('2', podPending('beta')),
    ]);
    expect(looks).toEqual(['beta pod-pending']);
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
