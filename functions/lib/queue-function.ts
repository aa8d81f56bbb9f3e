import middy, { type MiddlewareObj } from '@middy/core';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { describeError } from './errors.ts';
import { createLogger, type Logger } from './logger.ts';
import { returnAll } from './partial-batch.ts';

/** What an invocation knows beside its messages. */
export interface Invocation {
  readonly log: Logger;
  /** Milliseconds until Lambda ends this invocation. */
  remainingMs(): number;
}

export type QueueWork = (
  records: readonly SQSRecord[],
  invocation: Invocation,
) => Promise<SQSBatchResponse>;

type QueueMiddleware = MiddlewareObj<SQSEvent, SQSBatchResponse>;

/**
 * So long before the time limit the invocation answers "return everything" by itself: a killed process
 * would leave no log line that says why.
 */
const answerEarlyMs = 500;

/**
 * The one middleware stack of functions that a queue feeds: log lines with the request id, and any throw
 * (or running out of time) gives every message of the batch back.
 */
export const queueFunction = (work: QueueWork, logger: Logger = createLogger()) =>
  middy<SQSEvent, SQSBatchResponse>({ timeoutEarlyInMillis: answerEarlyMs })
    .use(returnAllOnError(logger))
    .handler((event: SQSEvent, context: Context) =>
      work(event.Records, {
        log: logger.with({ requestId: context.awsRequestId }),
        remainingMs: () => context.getRemainingTimeInMillis(),
      }),
    );

const returnAllOnError = (logger: Logger): QueueMiddleware => ({
  onError: (request) => {
    const log = logger.with({ requestId: request.context.awsRequestId });
    log.error('the whole batch goes back to the queue', { error: describeError(request.error) });
    // Without messages there is nothing to give back, and the error must be seen as the function's own.
    if (Array.isArray(request.event?.Records)) request.response = returnAll(request.event.Records);
  },
});
