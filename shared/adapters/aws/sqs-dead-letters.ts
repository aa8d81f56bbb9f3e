import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { DeadLetter, DeadLetters } from '#ports/dead-letters.ts';
import { calling } from './aws-error.ts';
import { messageAttribute } from './message-attribute.ts';

/**
 * Letters as messages of the dead-letter queue: the body is the message as it came, byte for byte, so
 * that it can be moved back; code and message are attributes of it.
 */
export function sqsDeadLetters(client: SQSClient, queueUrl: string): DeadLetters {
  return {
    async record(letter: DeadLetter): Promise<void> {
      const command = new SendMessageCommand({
        QueueUrl: queueUrl,
        MessageBody: letter.body,
        MessageAttributes: {
          code: messageAttribute(letter.code),
          message: messageAttribute(letter.message),
        },
      });
      await calling('SendMessage (dead letter)', () => client.send(command));
    },
  };
}
