import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { expect, it } from 'vitest';
import { sqsDeadLetterQueue } from '#adapters/aws/sqs-dead-letter-queue.ts';
import { sqsDeadLetters } from '#adapters/aws/sqs-dead-letters.ts';
import { describeDeadLetterQueueContract } from '../../contract/dead-letter-queue-contract.ts';
import { eventually } from '../../testbed/eventually.ts';
import type { DeployedOutrider } from './deployed-outrider.ts';

export interface CommandRun {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

export interface Commands {
  readonly outrider: DeployedOutrider;
  readonly sqs: SQSClient;
  command(...args: readonly string[]): Promise<CommandRun>;
  json<T>(...args: readonly string[]): Promise<T>;
}

/** `outrider deadletters` on a deployment, and the adapter behind it. */
export const describeDeadLetterCommands = (given: () => Commands): void => {
  it('dead letters are listed with the reason and can be tried again', async () => {
    const body = '{"nonsense":{"token":"planted-hunter2"}}';
    const { outrider, sqs, command, json } = given();
    await sqs.send(new SendMessageCommand({ QueueUrl: outrider.queueUrl, MessageBody: body }));
    interface Letter {
      readonly id: string;
      readonly body: string;
      readonly code: string;
    }
    const find = (not?: string): Promise<Letter> =>
      eventually('the dead letter', async () => {
        const letters = await json<readonly Letter[]>('deadletters', 'list', '--network', 'main');
        return letters.find(({ body: shown, id }) => shown.includes('nonsense') && id !== not);
      });
    const letter = await find();
    expect(letter.body).toBe('{"nonsense":{"token":[redacted]}}');
    // Reading has not taken it.
    expect((await find()).id).toBe(letter.id);
    const retried = await command('deadletters', 'retry', letter.id);
    expect(retried).toMatchObject({ exit: 0, out: '1 letter sent back\n' });
    expect(retried.err).toContain(`sent back: ${letter.id} (network main)`);
    // Its fault is not mended, so that it comes back as another letter.
    const back = await find(letter.id);
    expect(back.code).toBe(letter.code);
    const missing = await command('deadletters', 'retry', letter.id);
    expect(missing.exit).toBe(1);
    expect(missing.err).toContain(`not found: ${letter.id}`);
  });

  it('tells of dead letters that another reader has taken, and sends them back once they are visible', async () => {
    const { outrider, sqs, command } = given();
    const { deadLetterQueueUrl: QueueUrl } = outrider;
    await sqsDeadLetters(sqs, QueueUrl).record({ body: '{"late":1}', code: 'late', message: 'm' });
    const taken = await eventually('the letter', async () => {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 300 }),
      );
      return Messages.some(({ Body = '' }) => Body.includes('late')) ? Messages : undefined;
    });
    const hidden = await command('deadletters', 'retry', '--all', '--network', 'main');
    expect(hidden.exit).toBe(1);
    expect(hidden.err).toMatch(/letters? of network main in flight: .* taken again by 20\S+Z/);
    for (const { ReceiptHandle } of taken) {
      const back = { QueueUrl, ReceiptHandle, VisibilityTimeout: 0 };
      await sqs.send(new ChangeMessageVisibilityCommand(back));
    }
    const again = await command('deadletters', 'retry', '--all', '--network', 'main');
    expect(again).toMatchObject({ exit: 0, out: expect.stringMatching(/^[1-9]\d* letters? sent/) });
    expect(again.err).not.toContain('in flight');
  });

  it('goes on with the other queues where one refuses, and exits 2', async () => {
    const { outrider, command } = given();
    const { control } = outrider.testbed.emulator;
    await control.inject({
      service: 'sqs',
      action: 'GetQueueAttributes',
      code: 'AccessDenied',
      resource: outrider.deadLetterQueueUrl.split('/').at(-1) ?? '',
    });
    const { exit, out, err } = await command('deadletters', 'retry', '--all', '--json');
    expect(await control.faults()).toEqual([]);
    expect(exit).toBe(2);
    expect(err).toMatch(/^outrider deadletters retry: network main: .*AccessDenied/m);
    const [failed] = (JSON.parse(out) as { readonly failed: readonly unknown[] }).failed;
    expect(failed).toMatchObject({ network: 'main', code: 'forbidden' });
    expect(JSON.parse(out)).toMatchObject({ failed: [failed], notFound: [] });
  });

  describeDeadLetterQueueContract('SQS', async () => {
    const { sqs } = given();
    const made = async (name: string): Promise<string> => {
      const QueueName = `${name}-${Math.floor(performance.now() * 1000)}`;
      return (await sqs.send(new CreateQueueCommand({ QueueName }))).QueueUrl ?? '';
    };
    const [deadLetters, source] = [await made('dead'), await made('source')];
    const letters = sqsDeadLetters(sqs, deadLetters);
    return {
      queue: sqsDeadLetterQueue(sqs, { deadLetters, source }),
      file: (letter) => letters.record(letter),
      source: async () => {
        const { Attributes } = await sqs.send(
          new GetQueueAttributesCommand({
            QueueUrl: source,
            AttributeNames: ['ApproximateNumberOfMessages'],
          }),
        );
        const bodies: string[] = [];
        while (bodies.length < Number(Attributes?.ApproximateNumberOfMessages)) {
          const { Messages = [] } = await sqs.send(
            new ReceiveMessageCommand({ QueueUrl: source, MaxNumberOfMessages: 10 }),
          );
          if (Messages.length === 0) break;
          bodies.push(...Messages.map(({ Body = '' }) => Body));
        }
        return bodies;
      },
    };
  });
};
