import { Duration, Names, Validations } from 'aws-cdk-lib';
import { SqsQueue, type SqsQueueProps } from 'aws-cdk-lib/aws-events-targets';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

/** A hint that meets a passing fault comes back a few times, further apart each time. */
const maxReceiveCount = 10;

/** The queue in front of one function, and the two that keep what got lost on the way. */
export interface FedQueue {
  readonly queue: Queue;
  /** Messages that nothing could be done with. */
  readonly deadLetters: Queue;
  /** Events that EventBridge could not put on the queue. */
  readonly undelivered: Queue;
}

/** @param timeout of the function that the queue feeds. */
export const fedQueue = (scope: Construct, timeout: Duration): FedQueue => {
  const deadLetters = standardQueue(scope, 'DeadLetters', { retentionPeriod: Duration.days(14) });
  const undelivered = standardQueue(scope, 'Undelivered', { retentionPeriod: Duration.days(14) });
  Validations.of(undelivered).acknowledge({
    id: 'AwsSolutions-SQS3',
    reason:
      'It is the dead-letter queue of the rules, which name it where the check does not look.',
  });
  const queue = standardQueue(scope, 'Queue', {
    retentionPeriod: Duration.days(4),
    // What AWS recommends: batches of a throttled function must not come back while they wait for it.
    visibilityTimeout: Duration.seconds(timeout.toSeconds() * 6),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount },
  });
  return { queue, deadLetters, undelivered };
};

const standardQueue = (scope: Construct, id: string, props: QueueProps): Queue =>
  new Queue(scope, id, { ...props, encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true });

/** The queue as a rule's target; what cannot be put there is kept. */
export const targetOf = ({ queue, undelivered }: FedQueue, props: SqsQueueProps = {}): SqsQueue =>
  new SqsQueue(queue, { ...props, deadLetterQueue: undelivered });

/**
 * Feeds the function. Not `SqsEventSource`, which grants `sqs:GetQueueUrl` besides, that nobody calls: the
 * role's statements are those of `receive` in statements.ts.
 */
export const feedFunction = (
  fed: LambdaFunction,
  { queue }: FedQueue,
  { batchSize, maxConcurrency }: { readonly batchSize: number; readonly maxConcurrency?: number },
): void => {
  // The id that SqsEventSource gives: another one would be a second mapping of the same queue, which AWS refuses.
  fed.addEventSourceMapping(`SqsEventSource:${Names.nodeUniqueId(queue.node)}`, {
    eventSourceArn: queue.queueArn,
    batchSize,
    // A hint is worth most in its first second: no waiting for company.
    maxBatchingWindow: Duration.seconds(0),
    reportBatchItemFailures: true,
    ...(maxConcurrency === undefined ? {} : { maxConcurrency }),
  });
};
