import type { SQSRecord } from 'aws-lambda';
import type { ForwardService } from '#wiring/forward-events.ts';
import { describeError } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import { batchResponse, type Fate } from '../lib/partial-batch.ts';
import { type Invocation, queueFunction } from '../lib/queue-function.ts';
import { within } from '../lib/within.ts';
import { readAwsEvent } from './read-aws-event.ts';

/** So long before the end no event is waited for: the others are settled then. */
const settleReserveMs = 3_000;

/**
 * AWS's own events from the default bus: each goes to the clusters that it concerns. One that fails goes back
 * alone.
 *
 * @param service asked for once per batch, so that a failed start is tried again with the next one.
 */
export const createHandler = (service: () => Promise<ForwardService>, logger?: Logger) =>
  queueFunction(async (records, invocation) => {
    const forwarding = await service();
    const fates = new Map<string, Fate>();
    const settle = async (record: SQSRecord): Promise<void> => {
      const leftMs = invocation.remainingMs() - settleReserveMs;
      const fate = await within(forward(record, forwarding, invocation), leftMs, 'return' as Fate);
      fates.set(record.messageId, fate);
    };
    await Promise.all(records.map(settle));
    return batchResponse(records, fates);
  }, logger);

const forward = async (
  record: SQSRecord,
  service: ForwardService,
  invocation: Invocation,
): Promise<Fate> => {
  const log = invocation.log.with({ messageId: record.messageId });
  const bury = async (code: string, message: string): Promise<Fate> => {
    log.warn('dead letter', { code, reason: message });
    await service.deadLetters.record({ body: record.body, code, message });
    return 'ack';
  };
  try {
    const event = readAwsEvent(record);
    switch (event.kind) {
      case 'malformed':
        return await bury(event.code, event.message);
      case 'launch-failed': {
        const { told } = await service.launchFailed(event.group);
        log.info('launch failed', { group: event.group.name, told });
        return 'ack';
      }
    }
  } catch (thrown) {
    const error = describeError(thrown);
    log.error('the event is not forwarded', { error });
    // The sweep asks every group itself: a hint that cannot be sent is late, not lost.
    return error.retryable ? 'return' : await bury(error.code, error.message).catch(() => 'return');
  }
};
