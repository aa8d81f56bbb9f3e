import type { Context, SQSEvent, SQSRecord } from 'aws-lambda';
import { createLogger, type Logger } from '../../../functions/lib/logger.ts';
import { podPendingFrom, sweepSample } from '../../helpers/event-samples.ts';

/** One message of a queue, as Lambda hands it over. */
export const sqsRecord = (id: string, body: unknown, receiveCount = 1): SQSRecord => ({
  messageId: id,
  receiptHandle: `receipt-${id}`,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  attributes: {
    ApproximateReceiveCount: String(receiveCount),
    SentTimestamp: '1767225600000',
    SenderId: 'AIDAEXAMPLE',
    ApproximateFirstReceiveTimestamp: '1767225600001',
  },
  messageAttributes: {},
  md5OfBody: '',
  eventSource: 'aws:sqs',
  eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:queue',
  awsRegion: 'us-east-1',
});

export const sqsEvent = (...records: SQSRecord[]): SQSEvent => ({ Records: records });

/** The envelope that EventBridge puts into the body. */
export const podPending = (cluster: string, source = `outrider.cluster.${cluster}`) => ({
  ...podPendingFrom(cluster),
  source,
});

export const sweep = sweepSample;

/** What Outrider sends itself. */
export const look = (cluster: string, because: string, step = 1) => ({
  source: 'outrider.look',
  'detail-type': 'Look',
  detail: { cluster, because, step },
});

/** A relay's sign of life. */
export const heartbeat = (cluster: string) => ({
  source: `outrider.cluster.${cluster}`,
  'detail-type': 'Heartbeat',
  detail: { cluster, network: 'default', sentAt: '2026-01-05T12:00:00Z' },
});

export const lambdaContext = (lifeMs = 30_000, startedMs = Date.now()): Context => ({
  callbackWaitsForEmptyEventLoop: true,
  functionName: 'scale-up',
  functionVersion: '$LATEST',
  invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:scale-up',
  memoryLimitInMB: '1769',
  awsRequestId: 'request-1',
  logGroupName: 'log',
  logStreamName: 'stream',
  getRemainingTimeInMillis: () => lifeMs - (Date.now() - startedMs),
  done: () => undefined,
  fail: () => undefined,
  succeed: () => undefined,
});

/** A logger that keeps its lines, parsed. */
export const keepingLogger = (): { logger: Logger; lines: Record<string, unknown>[] } => {
  const lines: Record<string, unknown>[] = [];
  return { lines, logger: createLogger((line) => lines.push(JSON.parse(line))) };
};
