import { ChangeMessageVisibilityCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { calling } from './aws-error.ts';

/**
 * Makes a message that its receiver has not finished visible again after so many seconds, instead of
 * after the queue's whole visibility timeout.
 */
export const sqsReturnLater =
  (client: SQSClient, queueUrl: string) =>
  async (receiptHandle: string, seconds: number): Promise<void> => {
    const command = new ChangeMessageVisibilityCommand({
      QueueUrl: queueUrl,
      ReceiptHandle: receiptHandle,
      VisibilityTimeout: seconds,
    });
    await calling('ChangeMessageVisibility', () => client.send(command));
  };
