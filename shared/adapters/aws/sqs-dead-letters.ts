import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { cutBytes } from '#adapters/cut-bytes.ts';
import type { DeadLetter, DeadLetters } from '#ports/dead-letters.ts';
import { calling } from './aws-error.ts';

/** Characters that SQS refuses in attributes (those XML 1.0 cannot hold). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to take out
const refused = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const attribute = (value: string) => ({
  DataType: 'String',
  StringValue: cutBytes(value.replace(refused, '\ufffd'), 1024) || '-',
});

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
          code: attribute(letter.code),
          message: attribute(letter.message),
        },
      });
      await calling('SendMessage (dead letter)', () => client.send(command));
    },
  };
}
