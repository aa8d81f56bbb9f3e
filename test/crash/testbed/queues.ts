import {
  CreateQueueCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';

/** A queue of the emulated account, and all that ever came into it. */
export interface CaseQueue {
  readonly url: string;
  arn(): Promise<string>;
  /** Bodies of all messages so far, those that a reading before has hidden included; in any order. */
  bodies(): Promise<readonly string[]>;
  /** Bodies of the messages that are there to be received now, at most ten; they stay. */
  visible(): Promise<readonly string[]>;
  remove(): Promise<void>;
}

/** Longer than any case takes: what was read once is not read again. */
const hiddenSeconds = 3_600;

export const makeQueue = async (sqs: SQSClient, name: string): Promise<CaseQueue> => {
  const { QueueUrl: url = '' } = await sqs.send(new CreateQueueCommand({ QueueName: name }));
  const read: string[] = [];
  const receive = async (VisibilityTimeout: number): Promise<readonly string[]> => {
    const command = { QueueUrl: url, MaxNumberOfMessages: 10, VisibilityTimeout };
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand(command));
    return Messages.map(({ Body = '' }) => Body);
  };
  return {
    url,
    arn: async () => {
      const asked = { QueueUrl: url, AttributeNames: ['QueueArn' as const] };
      const { Attributes } = await sqs.send(new GetQueueAttributesCommand(asked));
      return Attributes?.QueueArn ?? '';
    },
    bodies: async () => {
      for (;;) {
        const fresh = await receive(hiddenSeconds);
        if (fresh.length === 0) return [...read];
        read.push(...fresh);
      }
    },
    visible: () => receive(0),
    remove: async () => {
      await sqs.send(new DeleteQueueCommand({ QueueUrl: url }));
    },
  };
};
